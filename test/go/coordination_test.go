package goprograms

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

func TestLeaderElection(t *testing.T) {
	name := namespace(t)
	leading := make(chan string)
	run := func(identity string) context.CancelFunc {
		ctx, stop := context.WithCancel(t.Context())
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, name, "leader", nil,
			clientset(t).CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
		check(t, err)
		go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:            lock,
			LeaseDuration:   15 * time.Second,
			RenewDeadline:   10 * time.Second,
			RetryPeriod:     100 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- identity },
				OnStoppedLeading: func() {},
			},
		})
		return stop
	}
	stopFirst := run("first")
	equal(t, "leader", receive(t, "leader", leading), "first")
	defer run("second")()
	stopFirst()
	equal(t, "leader after the first gave up", receive(t, "leader", leading), "second")
	lease, err := clientset(t).CoordinationV1().Leases(name).Get(t.Context(), "leader", metav1.GetOptions{})
	check(t, err)
	equal(t, "holder", *lease.Spec.HolderIdentity, "second")
}

// A namespace that goes says what it waits for.
func TestNamespaceDeletion(t *testing.T) {
	client := clientset(t)
	name := namespace(t)
	kept := configMap("kept", nil)
	kept.Finalizers = []string{"example.com/finalizer"}
	_, err := client.CoreV1().ConfigMaps(name).Create(t.Context(), kept, metav1.CreateOptions{})
	check(t, err)
	check(t, client.CoreV1().Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{}))
	want := "Some content in the namespace has finalizers remaining: example.com/finalizer in 1 resource instances"
	eventually(t, "the namespace names the finalizer", func(ctx context.Context) (bool, error) {
		namespace, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		check(t, err)
		for _, condition := range namespace.Status.Conditions {
			if condition.Type == corev1.NamespaceFinalizersRemaining && condition.Message == want {
				return len(namespace.Status.Conditions) == 5, nil
			}
		}
		return false, nil
	})
	_, err = client.CoreV1().ConfigMaps(name).Patch(t.Context(), "kept", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	check(t, err)
}

// The recorder counts what it says twice, with a patch.
func TestEventRecorder(t *testing.T) {
	name := namespace(t)
	client := clientset(t)
	about, err := client.CoreV1().ConfigMaps(name).Create(t.Context(), configMap("subject", nil), metav1.CreateOptions{})
	check(t, err)
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(name)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "test"})
	recorder.Event(about, corev1.EventTypeWarning, "Twice", "said again")
	recorder.Event(about, corev1.EventTypeWarning, "Twice", "said again")
	eventually(t, "the event counts two", func(ctx context.Context) (bool, error) {
		events, err := client.CoreV1().Events(name).List(ctx, metav1.ListOptions{
			FieldSelector: "involvedObject.name=subject,type=Warning,reason=Twice",
		})
		return err == nil && len(events.Items) == 1 && events.Items[0].Count == 2, err
	})
}
