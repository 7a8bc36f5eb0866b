// +groupName=apps.jicki.cn
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PodSetSpec defines the desired state of PodSet
type PodSetSpec struct {
	// Size is the size of the PodSet deployment
	// +kubebuilder:validation:Minimum=0
	Size int32 `json:"size"`
}

// PodSetStatus defines the observed state of PodSet
type PodSetStatus struct {
	// Nodes are the names of the PodSet pods
	Nodes []string `json:"nodes"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:printcolumn:name="Nodes",type=string,JSONPath=`.status.nodes`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// PodSet is the Schema for the podsets API
type PodSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PodSetSpec   `json:"spec"`
	Status PodSetStatus `json:"status,omitempty"`
}
