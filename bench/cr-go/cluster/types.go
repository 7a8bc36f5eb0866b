package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type PodSetSpec struct {
	Size int32 `json:"size"`
}

type PodSetStatus struct {
	Nodes []string `json:"nodes"`
}

type PodSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PodSetSpec   `json:"spec,omitempty"`
	Status PodSetStatus `json:"status,omitempty"`
}

type PodSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []PodSet `json:"items"`
}

type NodePoolSpec struct {
	Taints  []corev1.Taint    `json:"taints,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Handler string            `json:"handler,omitempty"`
}

type NodePoolStatus struct {
	Nodes      int32              `json:"nodes,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type NodePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NodePoolSpec   `json:"spec,omitempty"`
	Status NodePoolStatus `json:"status,omitempty"`
}

type NodePoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []NodePool `json:"items"`
}

func addToScheme(scheme *runtime.Scheme) {
	podSets := schema.GroupVersion{Group: "apps.jicki.cn", Version: "v1alpha1"}
	scheme.AddKnownTypes(podSets, &PodSet{}, &PodSetList{})
	metav1.AddToGroupVersion(scheme, podSets)
	nodePools := schema.GroupVersion{Group: "nodes.lailin.xyz", Version: "v1"}
	scheme.AddKnownTypes(nodePools, &NodePool{}, &NodePoolList{})
	metav1.AddToGroupVersion(scheme, nodePools)
}

// What controller-gen would write to zz_generated.deepcopy.go.

func (in *PodSet) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Nodes = append([]string(nil), in.Status.Nodes...)
	return &out
}

func (in *PodSetList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]PodSet, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*PodSet)
	}
	return &out
}

func (in *NodePool) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Taints = append([]corev1.Taint(nil), in.Spec.Taints...)
	out.Spec.Labels = make(map[string]string, len(in.Spec.Labels))
	for key, value := range in.Spec.Labels {
		out.Spec.Labels[key] = value
	}
	out.Status.Conditions = append([]metav1.Condition(nil), in.Status.Conditions...)
	return &out
}

func (in *NodePoolList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]NodePool, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*NodePool)
	}
	return &out
}
