package goprograms

import (
	"net/http"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

func TestDiscoveryInProtobuf(t *testing.T) {
	discovery := clientset(t, onlyProtobuf).Discovery().RESTClient()
	versions, resources := &metav1.APIVersions{}, &metav1.APIResourceList{}
	check(t, discovery.Get().AbsPath("/api").Do(t.Context()).Into(versions))
	equal(t, "versions", strings.Join(versions.Versions, ","), "v1")
	check(t, discovery.Get().AbsPath("/apis/coordination.k8s.io/v1").Do(t.Context()).Into(resources))
	for _, resource := range resources.APIResources {
		if resource.Name == "leases" {
			equal(t, "first verb", resource.Verbs[0], "create")
			return
		}
	}
	t.Fatal("no leases")
}

// Clients of old ask for v1beta1; reviews are no tables in any version.
func TestTables(t *testing.T) {
	client := clientset(t)
	const accept = "application/json;as=Table;g=meta.k8s.io;v=v1beta1"
	table, err := client.CoreV1().RESTClient().Get().Resource("namespaces").SetHeader("Accept", accept).Do(t.Context()).Raw()
	check(t, err)
	equal(t, "is a table", strings.HasPrefix(string(table), `{"kind":"Table","apiVersion":"meta.k8s.io/v1beta1"`), true)
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/", Verb: "get"},
	}}
	post := client.AuthorizationV1().RESTClient().Post().Resource("selfsubjectaccessreviews")
	err = post.SetHeader("Accept", accept).Body(review).Do(t.Context()).Error()
	equal(t, "a review as a table", apierrors.IsNotAcceptable(err), true)
}

// Either version of an Event has names of its own for what it can be selected by.
func TestEventSelectors(t *testing.T) {
	name := namespace(t)
	client := clientset(t)
	_, err := client.CoreV1().Events(name).Create(t.Context(), &corev1.Event{
		ObjectMeta:          metav1.ObjectMeta{Name: "e"},
		InvolvedObject:      corev1.ObjectReference{Kind: "Pod", Name: "p", Namespace: name},
		ReportingController: "example.com/c",
	}, metav1.CreateOptions{})
	check(t, err)
	events, err := client.EventsV1().Events(name).List(t.Context(), metav1.ListOptions{
		FieldSelector: "regarding.name=p,reportingController=example.com/c",
	})
	check(t, err)
	equal(t, "events", len(events.Items), 1)
	_, err = client.EventsV1().Events(name).List(t.Context(), metav1.ListOptions{FieldSelector: "involvedObject.name=p"})
	equal(t, "the other version's name is refused", apierrors.IsBadRequest(err), true)
}

func TestStrictDecoding(t *testing.T) {
	name := namespace(t)
	body := `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"odd":{"x":1,"x":2},"data":{"a":"1","a":"2"}}`
	err := clientset(t).CoreV1().RESTClient().Post().Namespace(name).Resource("configmaps").
		Param("fieldValidation", "Strict").Body([]byte(body)).Do(t.Context()).Error()
	if err == nil || !strings.Contains(err.Error(), `strict decoding error: unknown field "odd", duplicate field "data.a"`) {
		t.Fatal(err)
	}
}

// Who writes managedFields may say what the server itself never would.
func TestGivenManagedFields(t *testing.T) {
	name := namespace(t)
	configMaps := clientset(t).CoreV1().ConfigMaps(name)
	_, err := configMaps.Create(t.Context(), configMap("c", nil), metav1.CreateOptions{})
	check(t, err)
	const fields = `{"f:metadata":{"f:name":{}}}`
	patch := `{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":` + fields + `}]}}`
	patched, err := configMaps.Patch(t.Context(), "c", types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	check(t, err)
	equal(t, "managers", len(patched.ManagedFields), 1)
	equal(t, "fields", string(patched.ManagedFields[0].FieldsV1.Raw), fields)
}

func TestHealthChecks(t *testing.T) {
	client, err := rest.HTTPClientFor(config(t))
	check(t, err)
	for path, wanted := range map[string]int{"/readyz/etcd": http.StatusOK, "/livez/etcd?timeout=5": http.StatusBadRequest, "/livez/absent": http.StatusNotFound} {
		response, err := client.Get(config(t).Host + path)
		check(t, err)
		check(t, response.Body.Close())
		equal(t, path, response.StatusCode, wanted)
	}
	text, err := clientset(t).Discovery().RESTClient().Get().AbsPath("/livez").Param("verbose", "").Param("exclude", "etcd").Do(t.Context()).Raw()
	check(t, err)
	equal(t, "what is excluded is named", strings.Contains(string(text), "[+]etcd excluded: ok\n"), true)
}

func TestNodeTaint(t *testing.T) {
	nodes := clientset(t).CoreV1().Nodes()
	made, err := nodes.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{GenerateName: "go-"}}, metav1.CreateOptions{})
	check(t, err)
	check(t, nodes.Delete(t.Context(), made.Name, metav1.DeleteOptions{}))
	equal(t, "taints", len(made.Spec.Taints), 1)
	equal(t, "taint", made.Spec.Taints[0].ToString(), "node.kubernetes.io/not-ready:NoSchedule")
}
