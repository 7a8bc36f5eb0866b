// Package goprograms holds Go programs of the usual kinds, as tests that run on whatever cluster KUBECONFIG names.
package goprograms

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const protobuf = "application/vnd.kubernetes.protobuf"

// config is that of the cluster's administrator; change lets a test have it otherwise.
func config(t *testing.T, change ...func(*rest.Config)) *rest.Config {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check(t, err)
	config.QPS, config.Burst = 500, 1000
	for _, apply := range change {
		apply(config)
	}
	return config
}

// onlyProtobuf takes nothing but protobuf for an answer, where typed clients take JSON as well.
func onlyProtobuf(config *rest.Config) {
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf
}

func clientset(t *testing.T, change ...func(*rest.Config)) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config(t, change...))
	check(t, err)
	return client
}

// namespace makes one that is the test's own.
func namespace(t *testing.T) string {
	t.Helper()
	client := clientset(t)
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "go-"}}
	made, err := client.CoreV1().Namespaces().Create(t.Context(), wanted, metav1.CreateOptions{})
	check(t, err)
	t.Cleanup(func() {
		err := client.CoreV1().Namespaces().Delete(context.Background(), made.Name, metav1.DeleteOptions{})
		if !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			check(t, err)
		}
	})
	return made.Name
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kind": "test"}}, Data: data}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

var errTooLate = errors.New("did not come in time")

// patience is longer than the garbage collector of a real cluster takes to hear of a new kind.
const patience = 90 * time.Second

// eventually asks until the answer is yes; an error means not yet.
func eventually(t *testing.T, what string, isSo func(ctx context.Context) (bool, error)) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		done, err := isSo(ctx)
		last = err
		return done && err == nil, nil
	})
	if err != nil {
		t.Fatalf("%s: %v (last error: %v)", what, errTooLate, last)
	}
}

// receive is the next value of a channel.
func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value, isOpen := <-from:
		if !isOpen {
			t.Fatalf("%s: the channel was closed", what)
		}
		return value
	case <-time.After(patience):
		t.Fatalf("%s: %v", what, errTooLate)
		panic("not reached")
	}
}
