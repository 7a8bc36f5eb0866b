package goprograms

import (
	"fmt"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// The typed client works the same in every encoding that it can ask for.
func TestTypedClient(t *testing.T) {
	encodings := map[string]func(*rest.Config){
		"JSON":                 func(*rest.Config) {},
		"protobuf":             func(config *rest.Config) { config.ContentType = protobuf },
		"nothing but protobuf": onlyProtobuf,
	}
	for name, encoding := range encodings {
		t.Run(name, func(t *testing.T) {
			client := clientset(t, encoding)
			t.Run("leads an object through its life", func(t *testing.T) { objectLife(t, client) })
			t.Run("reads a list page by page", func(t *testing.T) { pages(t, client) })
			t.Run("gets errors it understands", func(t *testing.T) { statusErrors(t, client) })
			t.Run("asks for reviews and tokens", func(t *testing.T) { reviews(t, client) })
		})
	}
}

func objectLife(t *testing.T, client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(namespace(t))
	events, err := maps.Watch(t.Context(), metav1.ListOptions{LabelSelector: "kind=test"})
	check(t, err)
	defer events.Stop()

	made, err := maps.Create(t.Context(), configMap("one", map[string]string{"key": "value"}), metav1.CreateOptions{})
	check(t, err)
	made.BinaryData = map[string][]byte{"bytes": {0, 1, 255}}
	updated, err := maps.Update(t.Context(), made, metav1.UpdateOptions{})
	check(t, err)
	equal(t, "bytes", string(updated.BinaryData["bytes"]), "\x00\x01\xff")
	patched, err := maps.Patch(t.Context(), "one", types.JSONPatchType,
		[]byte(`[{"op":"replace","path":"/data/key","value":"other"}]`), metav1.PatchOptions{})
	check(t, err)
	equal(t, "patched", patched.Data["key"], "other")
	uid := patched.UID
	check(t, maps.Delete(t.Context(), "one", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}))

	for _, wanted := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Deleted} {
		event := receive(t, "event", events.ResultChan())
		equal(t, "event", event.Type, wanted)
		equal(t, "event's object", event.Object.(*corev1.ConfigMap).Name, "one")
	}
}

func pages(t *testing.T, client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(namespace(t))
	for index := range 5 {
		_, err := maps.Create(t.Context(), configMap(fmt.Sprint("page-", index), nil), metav1.CreateOptions{})
		check(t, err)
	}
	options := metav1.ListOptions{LabelSelector: "kind=test", Limit: 2}
	var names []string
	for {
		list, err := maps.List(t.Context(), options)
		check(t, err)
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		if list.Continue == "" {
			break
		}
		options.Continue = list.Continue
	}
	equal(t, "names", fmt.Sprint(names), "[page-0 page-1 page-2 page-3 page-4]")
	check(t, maps.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "kind=test"}))
	list, err := maps.List(t.Context(), metav1.ListOptions{LabelSelector: "kind=test"})
	check(t, err)
	equal(t, "left", len(list.Items), 0)
}

func statusErrors(t *testing.T, client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(namespace(t))
	_, err := maps.Get(t.Context(), "absent", metav1.GetOptions{})
	equal(t, "not found", apierrors.IsNotFound(err), true)
	made, err := maps.Create(t.Context(), configMap("twice", nil), metav1.CreateOptions{})
	check(t, err)
	_, err = maps.Create(t.Context(), configMap("twice", nil), metav1.CreateOptions{})
	equal(t, "already exists", apierrors.IsAlreadyExists(err), true)
	_, err = maps.Update(t.Context(), made.DeepCopy(), metav1.UpdateOptions{})
	check(t, err)
	made.ResourceVersion = "1"
	_, err = maps.Update(t.Context(), made, metav1.UpdateOptions{})
	equal(t, "conflict", apierrors.IsConflict(err), true)
	_, err = maps.Create(t.Context(), configMap("Not A Name", nil), metav1.CreateOptions{})
	equal(t, "invalid", apierrors.IsInvalid(err), true)
	status := err.(apierrors.APIStatus).Status()
	equal(t, "cause", status.Details.Causes[0].Field, "metadata.name")
	_, err = maps.List(t.Context(), metav1.ListOptions{ResourceVersion: "not a number"})
	equal(t, "bad request", apierrors.IsBadRequest(err), true)
}

func reviews(t *testing.T, client kubernetes.Interface) {
	name := namespace(t)
	attributes := &authorizationv1.ResourceAttributes{Namespace: name, Verb: "delete", Resource: "pods"}
	own := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: attributes}}
	mine, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), own, metav1.CreateOptions{})
	check(t, err)
	equal(t, "allowed to the administrator", mine.Status.Allowed, true)
	other := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{ResourceAttributes: attributes, User: "nobody"}}
	theirs, err := client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), other, metav1.CreateOptions{})
	check(t, err)
	equal(t, "allowed to nobody", theirs.Status.Allowed, false)

	accounts := client.CoreV1().ServiceAccounts(name)
	_, err = accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{})
	check(t, err)
	request, err := accounts.CreateToken(t.Context(), "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	check(t, err)
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: request.Status.Token}}
	answer, err := client.AuthenticationV1().TokenReviews().Create(t.Context(), review, metav1.CreateOptions{})
	check(t, err)
	equal(t, "user of the token", answer.Status.User.Username, "system:serviceaccount:"+name+":robot")
}

func TestDynamicClient(t *testing.T) {
	client, err := dynamic.NewForConfig(config(t))
	check(t, err)
	maps := client.Resource(configMaps).Namespace(namespace(t))
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(configMap("free", map[string]string{"key": "value"}))
	check(t, err)
	object["kind"], object["apiVersion"] = "ConfigMap", "v1"
	_, err = maps.Create(t.Context(), &unstructured.Unstructured{Object: object}, metav1.CreateOptions{})
	check(t, err)
	list, err := maps.List(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=free"})
	check(t, err)
	equal(t, "kind of an item", list.Items[0].GetKind(), "ConfigMap")
	_, err = maps.Patch(t.Context(), "free", types.MergePatchType, []byte(`{"data":{"key":null,"new":"x"}}`), metav1.PatchOptions{})
	check(t, err)
	got, err := maps.Get(t.Context(), "free", metav1.GetOptions{})
	check(t, err)
	data, _, err := unstructured.NestedStringMap(got.Object, "data")
	check(t, err)
	equal(t, "data", fmt.Sprint(data), "map[new:x]")
}

// The metadata client asks for PartialObjectMetadata, in protobuf first.
func TestMetadataClient(t *testing.T) {
	client, err := metadata.NewForConfig(config(t))
	check(t, err)
	name := namespace(t)
	_, err = clientset(t).CoreV1().ConfigMaps(name).Create(t.Context(), configMap("part", nil), metav1.CreateOptions{})
	check(t, err)
	maps := client.Resource(configMaps).Namespace(name)
	one, err := maps.Get(t.Context(), "part", metav1.GetOptions{})
	check(t, err)
	equal(t, "label", one.Labels["kind"], "test")
	events, err := maps.Watch(t.Context(), metav1.ListOptions{LabelSelector: "kind=test", ResourceVersion: one.ResourceVersion})
	check(t, err)
	defer events.Stop()
	_, err = maps.Patch(t.Context(), "part", types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"b"}}}`), metav1.PatchOptions{})
	check(t, err)
	event := receive(t, "event", events.ResultChan())
	equal(t, "annotation", event.Object.(*metav1.PartialObjectMetadata).Annotations["a"], "b")
	list, err := maps.List(t.Context(), metav1.ListOptions{LabelSelector: "kind=test"})
	check(t, err)
	equal(t, "listed", list.Items[0].Name, "part")
}
