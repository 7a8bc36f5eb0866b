package goprograms

import (
	"context"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var websites = schema.GroupVersion{Group: "programs.example.com", Version: "v1"}

// Website is a custom resource as kubebuilder's users write one.
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebsiteSpec   `json:"spec,omitempty"`
	Status            WebsiteStatus `json:"status,omitempty"`
}

type WebsiteSpec struct {
	Image    string `json:"image,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
}

type WebsiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WebsiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Website `json:"items"`
}

func (site *Website) DeepCopyObject() runtime.Object {
	copied := *site
	site.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = append([]metav1.Condition(nil), site.Status.Conditions...)
	return &copied
}

func (list *WebsiteList) DeepCopyObject() runtime.Object {
	copied := *list
	list.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Website, len(list.Items))
	for index := range list.Items {
		copied.Items[index] = *list.Items[index].DeepCopyObject().(*Website)
	}
	return &copied
}

func addWebsites(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(websites, &Website{}, &WebsiteList{})
	metav1.AddToGroupVersion(scheme, websites)
	return nil
}

// installWebsites creates the definition and waits until it is served.
func installWebsites(t *testing.T, crds client.Client) {
	t.Helper()
	object := func(properties map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	least, usual, open := 0.0, apiextensionsv1.JSON{Raw: []byte(`"nginx:1"`)}, true
	root := object(map[string]apiextensionsv1.JSONSchemaProps{
		"spec": object(map[string]apiextensionsv1.JSONSchemaProps{
			"image":    {Type: "string", Default: &usual},
			"replicas": {Type: "integer", Format: "int32", Minimum: &least},
		}),
		"status": {Type: "object", XPreserveUnknownFields: &open},
	})
	definition := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "websites." + websites.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: websites.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "websites", Kind: "Website"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: websites.Version, Served: true, Storage: true,
				Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			}},
		},
	}
	check(t, crds.Create(t.Context(), definition))
	t.Cleanup(func() { check(t, crds.Delete(context.Background(), definition)) })
	eventually(t, "websites are served", func(ctx context.Context) (bool, error) {
		return true, crds.List(ctx, &WebsiteList{})
	})
}
