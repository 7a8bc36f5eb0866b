// +groupName=apps.anupam.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// HelloAppSpec defines the desired state of HelloApp
type HelloAppSpec struct {
	// Image is the container image to run
	// +kubebuilder:validation:MinLength=1
	Image string `json:"image"`

	// Size is the number of pods to run
	// +kubebuilder:validation:Minimum=0
	Size int32 `json:"size"`
}

// HelloAppStatus defines the observed state of HelloApp
type HelloAppStatus struct {
	// AvailableReplicas is the number of pods that are ready
	// +optional
	AvailableReplicas int32 `json:"availableReplicas,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:printcolumn:name="Available",type=integer,JSONPath=`.status.availableReplicas`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// HelloApp is the Schema for the helloapps API
type HelloApp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   HelloAppSpec   `json:"spec"`
	Status HelloAppStatus `json:"status,omitempty"`
}
