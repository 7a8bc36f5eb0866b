// +groupName=crddemo.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MydemoSpec defines the desired state of Mydemo
type MydemoSpec struct {
	// IP is the address of the demo service
	IP string `json:"ip"`

	// Port is the port of the demo service
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=mydemos
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, experimental-only"
// +kubebuilder:printcolumn:name="IP",type=string,JSONPath=`.spec.ip`
// +kubebuilder:printcolumn:name="Port",type=integer,JSONPath=`.spec.port`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// Mydemo is the Schema for the mydemos API
type Mydemo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec MydemoSpec `json:"spec"`
}
