// +groupName=golden.kindwright.dev
package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// CatalogueSpec has a field of each type
type CatalogueSpec struct {
	Affinity                    corev1.Affinity                           `json:"affinity"`
	ConfigMapKeySelector        corev1.ConfigMapKeySelector               `json:"configMapKeySelector"`
	Container                   corev1.Container                          `json:"container"`
	ContainerPort               corev1.ContainerPort                      `json:"containerPort"`
	EnvFromSource               corev1.EnvFromSource                      `json:"envFromSource"`
	EnvVar                      corev1.EnvVar                             `json:"envVar"`
	EphemeralVolumeSource       corev1.EphemeralVolumeSource              `json:"ephemeralVolumeSource"`
	HTTPGetAction               corev1.HTTPGetAction                      `json:"httpGetAction"`
	Lifecycle                   corev1.Lifecycle                          `json:"lifecycle"`
	LocalObjectReference        corev1.LocalObjectReference               `json:"localObjectReference"`
	NodeAffinity                corev1.NodeAffinity                       `json:"nodeAffinity"`
	ObjectReference             corev1.ObjectReference                    `json:"objectReference"`
	PersistentVolumeClaim       corev1.PersistentVolumeClaim              `json:"persistentVolumeClaim"`
	PersistentVolumeClaimSpec   corev1.PersistentVolumeClaimSpec          `json:"persistentVolumeClaimSpec"`
	PodSecurityContext          corev1.PodSecurityContext                 `json:"podSecurityContext"`
	PodSpec                     corev1.PodSpec                            `json:"podSpec"`
	PodTemplateSpec             corev1.PodTemplateSpec                    `json:"podTemplateSpec"`
	Probe                       corev1.Probe                              `json:"probe"`
	ResourceRequirements        corev1.ResourceRequirements               `json:"resourceRequirements"`
	SecretKeySelector           corev1.SecretKeySelector                  `json:"secretKeySelector"`
	SecretReference             corev1.SecretReference                    `json:"secretReference"`
	SecurityContext             corev1.SecurityContext                    `json:"securityContext"`
	ServicePort                 corev1.ServicePort                        `json:"servicePort"`
	ServiceSpec                 corev1.ServiceSpec                        `json:"serviceSpec"`
	Toleration                  corev1.Toleration                         `json:"toleration"`
	TopologySpreadConstraint    corev1.TopologySpreadConstraint           `json:"topologySpreadConstraint"`
	TypedLocalObjectReference   corev1.TypedLocalObjectReference          `json:"typedLocalObjectReference"`
	Volume                      corev1.Volume                             `json:"volume"`
	VolumeMount                 corev1.VolumeMount                        `json:"volumeMount"`
	JobTemplateSpec             batchv1.JobTemplateSpec                   `json:"jobTemplateSpec"`
	DeploymentStrategy          appsv1.DeploymentStrategy                 `json:"deploymentStrategy"`
	RollingUpdateDaemonSet      appsv1.RollingUpdateDaemonSet             `json:"rollingUpdateDaemonSet"`
	IngressSpec                 networkingv1.IngressSpec                  `json:"ingressSpec"`
	NetworkPolicySpec           networkingv1.NetworkPolicySpec            `json:"networkPolicySpec"`
	RoleRef                     rbacv1.RoleRef                            `json:"roleRef"`
	PolicyRule                  rbacv1.PolicyRule                         `json:"policyRule"`
	HorizontalPodAutoscalerSpec autoscalingv2.HorizontalPodAutoscalerSpec `json:"horizontalPodAutoscalerSpec"`
	PodDisruptionBudgetSpec     policyv1.PodDisruptionBudgetSpec          `json:"podDisruptionBudgetSpec"`
	LabelSelector               metav1.LabelSelector                      `json:"labelSelector"`
	Condition                   metav1.Condition                          `json:"condition"`
	Duration                    metav1.Duration                           `json:"duration"`
	Time                        metav1.Time                               `json:"time"`
	MicroTime                   metav1.MicroTime                          `json:"microTime"`
	OwnerReference              metav1.OwnerReference                     `json:"ownerReference"`
	ObjectMeta                  metav1.ObjectMeta                         `json:"objectMeta"`
	Quantity                    resource.Quantity                         `json:"quantity"`
	IntOrString                 intstr.IntOrString                        `json:"intOrString"`
	RawExtension                runtime.RawExtension                      `json:"rawExtension"`
	JSON                        apiextensionsv1.JSON                      `json:"json"`

	// Env is merged by name
	// +listType=map
	// +listMapKey=name
	// +optional
	Env []corev1.EnvVar `json:"env,omitempty"`

	// Main is a container port with a comment of its own
	Main corev1.ContainerPort `json:"main"`

	// +optional
	ByZone map[string]corev1.ResourceRequirements `json:"byZone,omitempty"`

	// +kubebuilder:default={cpu: "1"}
	// +kubebuilder:validation:MinProperties=1
	Limits map[string]resource.Quantity `json:"limits,omitempty"`

	// +kubebuilder:default={name: "none"}
	// +kubebuilder:validation:XValidation:rule="self.name != ''",message="name is empty"
	// +optional
	Default corev1.LocalObjectReference `json:"default,omitempty"`

	// +structType=atomic
	// +nullable
	// +optional
	Atomic *corev1.ServicePort `json:"atomic,omitempty"`

	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Open *corev1.Probe `json:"open,omitempty"`

	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	ConfigMap *corev1.ConfigMap `json:"configMap,omitempty"`

	// +kubebuilder:validation:MaxItems=3
	// +optional
	Matrix [][]corev1.Toleration `json:"matrix,omitempty"`
}

// CatalogueStatus has the conditions
type CatalogueStatus struct {
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// Catalogue is the Schema for the catalogues API
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Catalogue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Spec   CatalogueSpec   `json:"spec,omitempty"`
	Status CatalogueStatus `json:"status,omitempty"`
}
