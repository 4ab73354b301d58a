// Names the cgroups of pods by the kubelet's own code, for both drivers. A line with a QoS class and a UID comes in, a line with the
// path of each driver goes out.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet/cm"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		class, uid, _ := strings.Cut(in.Text(), " ")
		// As GetPodContainerName does (pkg/kubelet/cm/pod_container_manager_linux.go).
		parent := cm.NewCgroupName(cm.RootCgroupName, "kubepods")
		if corev1.PodQOSClass(class) != corev1.PodQOSGuaranteed {
			parent = cm.NewCgroupName(parent, strings.ToLower(class))
		}
		name := cm.NewCgroupName(parent, cm.GetPodCgroupNameSuffix(types.UID(uid)))
		fmt.Println(name.ToSystemd(), name.ToCgroupfs())
	}
}
