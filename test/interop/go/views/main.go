// Says what serialized pods need, by the code of the scheduler and the kubelet. Each pod comes in with its length before it, four bytes,
// big end first; each gives one line of JSON.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"

	corev1 "k8s.io/api/core/v1"
	quantities "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

// answer has the amounts in billionths, by the names of what is asked for.
type answer struct {
	Requests map[string]map[string]string
	Limits   map[string]map[string]string
	// Canonical has the names of the overhead, where they are quantities, as Go sends those.
	Canonical map[string]string
}

func nanos(list corev1.ResourceList) map[string]string {
	amounts := map[string]string{}
	for name, quantity := range list {
		decimal := quantity.AsDec()
		amount := new(big.Int).Set(decimal.UnscaledBig())
		for scale := int64(decimal.Scale()); scale < 9; scale++ {
			amount.Mul(amount, big.NewInt(10))
		}
		amounts[string(name)] = amount.String()
	}
	return amounts
}

// canonical says how quantities arrive that somebody has written into a manifest: read with its defaults, and sent. Their texts are the
// names of the list.
func canonical(texts corev1.ResourceList) map[string]string {
	asked := map[string]string{}
	names := map[corev1.ResourceName]string{}
	for text := range texts {
		if _, err := quantities.ParseQuantity(string(text)); err != nil {
			continue // the name of a resource
		}
		name := fmt.Sprintf("example.com/%d", len(names))
		names[corev1.ResourceName(name)] = string(text)
		asked[name] = string(text)
	}
	requests, err := json.Marshal(asked)
	if err != nil {
		panic(err)
	}
	manifest := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"resources":{"requests":%s}}]}}`, requests)
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), []byte(manifest))
	if err != nil {
		panic(err)
	}
	pod, sent := &corev1.Pod{}, &corev1.Pod{}
	if err := legacyscheme.Scheme.Convert(object, pod, nil); err != nil {
		panic(err)
	}
	bytes, err := pod.Marshal()
	if err != nil {
		panic(err)
	}
	if err := sent.Unmarshal(bytes); err != nil {
		panic(err)
	}
	said := map[string]string{}
	for name, quantity := range sent.Spec.Containers[0].Resources.Requests {
		said[names[name]] = quantity.String()
	}
	return said
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		var length uint32
		if err := binary.Read(in, binary.BigEndian, &length); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		bytes := make([]byte, length)
		if _, err := io.ReadFull(in, bytes); err != nil {
			panic(err)
		}
		pod := &corev1.Pod{}
		if err := pod.Unmarshal(bytes); err != nil {
			panic(err)
		}
		said := answer{Requests: map[string]map[string]string{}, Limits: map[string]map[string]string{}}
		for _, overhead := range []bool{true, false} {
			for _, actual := range []bool{true, false} {
				options := resource.PodResourcesOptions{
					ExcludeOverhead:    !overhead,
					UseStatusResources: actual,
					// On by default since 1.36, which is when this API came.
					InPlacePodLevelResourcesVerticalScalingEnabled: true,
				}
				key := fmt.Sprintf("%t %t", overhead, actual)
				// Of a copy: sums of large quantities are written into those that they begin with.
				said.Requests[key] = nanos(resource.PodRequests(pod.DeepCopy(), options))
				said.Limits[key] = nanos(resource.PodLimits(pod.DeepCopy(), options))
			}
		}
		said.Canonical = canonical(pod.Spec.Overhead)
		if err := out.Encode(said); err != nil {
			panic(err)
		}
	}
}
