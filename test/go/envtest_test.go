package goprograms

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// The binaries that KUBEBUILDER_ASSETS names do what envtest asks of them; KUBECONFIG does not matter.
func TestEnvtest(t *testing.T) {
	environment := &envtest.Environment{}
	config, err := environment.Start()
	check(t, err)
	t.Cleanup(func() { check(t, environment.Stop()) })
	admin, err := kubernetes.NewForConfig(config)
	check(t, err)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "alone"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "busybox"}}},
	}
	made, err := admin.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{})
	check(t, err)
	equal(t, "phase without controllers", made.Status.Phase, corev1.PodPending)

	user, err := environment.AddUser(envtest.User{Name: "jane", Groups: []string{"visitors"}}, nil)
	check(t, err)
	jane, err := kubernetes.NewForConfig(user.Config())
	check(t, err)
	_, err = jane.CoreV1().Pods("default").Get(t.Context(), "alone", metav1.GetOptions{})
	equal(t, "forbidden", apierrors.IsForbidden(err), true)
}
