package goprograms

import (
	"context"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"
)

var gadgets = schema.GroupVersionResource{Group: "gadgets.example.com", Version: "v1", Resource: "gadgets"}

// A definition that changes holds for what was stored before: defaults are filled in, what was wrong already may stay.
func TestChangedDefinition(t *testing.T) {
	definitions, err := extensions.NewForConfig(config(t, onlyProtobuf))
	check(t, err)
	words := apiextensionsv1.JSONSchemaProps{Type: "string"}
	list := apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &words}}
	made, err := definitions.ApiextensionsV1().CustomResourceDefinitions().Create(t.Context(), gadgetDefinition(list), metav1.CreateOptions{})
	check(t, err)
	t.Cleanup(func() {
		check(t, definitions.ApiextensionsV1().CustomResourceDefinitions().Delete(context.Background(), made.Name, metav1.DeleteOptions{}))
	})
	text, err := clientset(t).Discovery().RESTClient().Get().
		AbsPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", made.Name).Do(t.Context()).Raw()
	check(t, err)
	equal(t, "what protobuf leaves empty is absent", strings.Contains(string(text), `"pattern":""`), false)
	dynamicClient, err := dynamic.NewForConfig(config(t))
	check(t, err)
	inDefault := dynamicClient.Resource(gadgets).Namespace("default")
	gadget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": gadgets.GroupVersion().String(), "kind": "Gadget",
		"metadata": map[string]any{"name": "g"},
		"spec":     map[string]any{"words": []any{"good", "bad"}, "other": "1"},
	}}
	eventually(t, "a gadget is created", func(ctx context.Context) (bool, error) {
		_, err := inDefault.Create(ctx, gadget, metav1.CreateOptions{})
		return err == nil, err
	})

	rule, usual := apiextensionsv1.ValidationRule{Rule: `self != "bad"`}, apiextensionsv1.JSON{Raw: []byte(`"usual"`)}
	check(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		present, err := definitions.ApiextensionsV1().CustomResourceDefinitions().Get(t.Context(), made.Name, metav1.GetOptions{})
		check(t, err)
		length := int64(20)
		strict := apiextensionsv1.JSONSchemaProps{Type: "string", XValidations: apiextensionsv1.ValidationRules{rule}, MaxLength: &length}
		spec := specOf(present)
		items := spec.Properties["words"]
		items.MaxItems, items.Items = &length, &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &strict}
		spec.Properties["words"] = items
		spec.Properties["image"] = apiextensionsv1.JSONSchemaProps{Type: "string", Default: &usual}
		present.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = spec
		_, err = definitions.ApiextensionsV1().CustomResourceDefinitions().Update(t.Context(), present, metav1.UpdateOptions{})
		return err
	}))
	eventually(t, "what is stored has the default", func(ctx context.Context) (bool, error) {
		stored, err := inDefault.Get(ctx, "g", metav1.GetOptions{})
		check(t, err)
		image, _, err := unstructured.NestedString(stored.Object, "spec", "image")
		return image == "usual", err
	})
	patch := func(text string) error {
		_, err := inDefault.Patch(t.Context(), "g", types.MergePatchType, []byte(text), metav1.PatchOptions{})
		return err
	}
	check(t, patch(`{"spec":{"other":"2"}}`))
	err = patch(`{"spec":{"words":["good","bad","new"]}}`)
	equal(t, "a list whose items cannot be told apart is judged anew", apierrors.IsInvalid(err), true)
}

func specOf(definition *apiextensionsv1.CustomResourceDefinition) apiextensionsv1.JSONSchemaProps {
	return definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
}

// gadgetDefinition requires the metadata, as definitions made by controller-gen may.
func gadgetDefinition(words apiextensionsv1.JSONSchemaProps) *apiextensionsv1.CustomResourceDefinition {
	root := apiextensionsv1.JSONSchemaProps{
		Type:     "object",
		Required: []string{"metadata", "spec"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"metadata": {Type: "object"},
			"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"words": words,
				"other": {Type: "string"},
			}},
		},
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: gadgets.Resource + "." + gadgets.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: gadgets.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: gadgets.Resource, Kind: "Gadget"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: gadgets.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
			}},
		},
	}
}
