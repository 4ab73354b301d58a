// Judges what agents are told of pods by the code that kubectl and the API server use: label selectors,
// and the rows of `kubectl get pods`. Lines of JSON come in, one answer goes out for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	core "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/printers"
	"k8s.io/kubernetes/pkg/printers/internalversion"
)

type question struct {
	ID       int               `json:"id"`
	Op       string            `json:"op"`
	Selector string            `json:"selector"`
	Labels   map[string]string `json:"labels"`
	Pod      *corev1.Pod       `json:"pod"`
}

type answer struct {
	ID    int    `json:"id"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	// Matches says whether the selector lets the labels or the pod through.
	Matches bool `json:"matches"`
	// Cells are what kubectl shows of the pod with -o wide.
	Cells []string `json:"cells,omitempty"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	table := printers.NewTableGenerator()
	internalversion.AddHandlers(table)
	for in.Scan() {
		var q question
		result := answer{}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			result.Error = err.Error()
		} else if err := judge(q, table, &result); err != nil {
			result.Error = err.Error()
		} else {
			result.OK = true
		}
		result.ID = q.ID
		if err := out.Encode(result); err != nil {
			panic(err)
		}
	}
}

func judge(q question, table *printers.HumanReadableGenerator, result *answer) error {
	switch q.Op {
	case "labels":
		selector, err := labels.Parse(q.Selector)
		if err != nil {
			return err
		}
		result.Matches = selector.Matches(labels.Set(q.Labels))
		return nil
	case "row":
		internal, err := internalPod(q.Pod)
		if err != nil {
			return err
		}
		rows, err := table.GenerateTable(internal, printers.GenerateOptions{Wide: true})
		if err != nil {
			return err
		}
		for _, cell := range rows.Rows[0].Cells {
			result.Cells = append(result.Cells, fmt.Sprint(cell))
		}
		return nil
	}
	return fmt.Errorf("unknown op %q", q.Op)
}

func internalPod(pod *corev1.Pod) (*core.Pod, error) {
	var internal core.Pod
	return &internal, legacyscheme.Scheme.Convert(pod, &internal, nil)
}
