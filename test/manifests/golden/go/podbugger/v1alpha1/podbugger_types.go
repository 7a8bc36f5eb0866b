// +groupName=podbugger.kindwright.dev
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PodBuggerSpec defines the desired state of PodBugger
type PodBuggerSpec struct {
	// Selector names the pods to debug by their labels; an empty one selects every pod of the namespace
	Selector metav1.LabelSelector `json:"selector"`

	// Image is the image of the debug container
	// +kubebuilder:validation:MinLength=1
	Image string `json:"image"`

	// Command is run instead of the image's entry point
	// +optional
	Command []string `json:"command,omitempty"`

	// TargetContainer is the container whose processes the debug container sees
	// +optional
	TargetContainer string `json:"targetContainer,omitempty"`
}

// PodBuggerStatus defines the observed state of PodBugger
type PodBuggerStatus struct {
	// Pods are the names of the pods that carry the debug container
	// +optional
	Pods []string `json:"pods,omitempty"`

	// Conditions are the latest observations of the state
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// PodBugger is the Schema for the podbuggers API
type PodBugger struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PodBuggerSpec   `json:"spec"`
	Status PodBuggerStatus `json:"status,omitempty"`
}
