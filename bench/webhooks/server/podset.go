package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	groupVersion  = schema.GroupVersion{Group: "apps.jicki.cn", Version: "v1"}
	schemeBuilder = &scheme.Builder{GroupVersion: groupVersion}
)

func init() { schemeBuilder.Register(&PodSet{}) }

// PodSetSpec is the spec of operators/podset.ts.
type PodSetSpec struct {
	Size int32  `json:"size"`
	Note string `json:"note,omitempty"`
}

type PodSetStatus struct {
	Nodes []string `json:"nodes,omitempty"`
}

type PodSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PodSetSpec   `json:"spec,omitempty"`
	Status PodSetStatus `json:"status,omitempty"`
}

// DeepCopyObject is what controller-gen generates.
func (in *PodSet) DeepCopyObject() runtime.Object {
	out := new(PodSet)
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Nodes = append([]string(nil), in.Status.Nodes...)
	return out
}
