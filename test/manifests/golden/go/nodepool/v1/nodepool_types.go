// +groupName=nodes.lailin.xyz
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Taint is a taint that every node of the pool has
type Taint struct {
	// Key is the taint key
	Key string `json:"key"`

	// Value is the taint value
	// +optional
	Value string `json:"value,omitempty"`

	// Effect is what happens to pods that do not tolerate the taint
	// +kubebuilder:validation:Enum=NoSchedule;PreferNoSchedule;NoExecute
	Effect string `json:"effect"`
}

// NodePoolSpec defines the desired state of NodePool
type NodePoolSpec struct {
	// Taints are the taints of every node in the pool
	// +optional
	Taints []Taint `json:"taints,omitempty"`

	// Labels are the labels of every node in the pool
	// +optional
	Labels map[string]string `json:"labels,omitempty"`

	// Handler is the container runtime handler of the pool's RuntimeClass
	// +optional
	Handler string `json:"handler,omitempty"`
}

// NodePoolStatus defines the observed state of NodePool
type NodePoolStatus struct {
	// Nodes is the number of member nodes
	// +optional
	Nodes int32 `json:"nodes,omitempty"`

	// Conditions are the latest observations of the state
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status

// NodePool is the Schema for the nodepools API
type NodePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NodePoolSpec   `json:"spec,omitempty"`
	Status NodePoolStatus `json:"status,omitempty"`
}
