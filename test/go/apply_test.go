package goprograms

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

func deployment(name, namespace string) *appsv1.DeploymentApplyConfiguration {
	labels := map[string]string{"app": name}
	container := applycorev1.Container().WithName("main").WithImage("nginx:1").
		WithPorts(applycorev1.ContainerPort().WithContainerPort(80).WithProtocol(corev1.ProtocolTCP))
	return appsv1.Deployment(name, namespace).WithSpec(appsv1.DeploymentSpec().
		WithReplicas(1).
		WithSelector(applymetav1.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(applycorev1.PodTemplateSpec().WithLabels(labels).
			WithSpec(applycorev1.PodSpec().WithContainers(container))))
}

func TestApplyConfigurations(t *testing.T) {
	name := namespace(t)
	deployments := clientset(t).AppsV1().Deployments(name)
	first := metav1.ApplyOptions{FieldManager: "first"}
	_, err := deployments.Apply(t.Context(), deployment("web", name), first)
	check(t, err)

	scaled := appsv1.Deployment("web", name).WithSpec(appsv1.DeploymentSpec().WithReplicas(3))
	_, err = deployments.Apply(t.Context(), scaled, metav1.ApplyOptions{FieldManager: "second"})
	equal(t, "conflict", apierrors.IsConflict(err), true)
	equal(t, "field", err.(apierrors.APIStatus).Status().Details.Causes[0].Field, ".spec.replicas")
	_, err = deployments.Apply(t.Context(), scaled, metav1.ApplyOptions{FieldManager: "second", Force: true})
	check(t, err)

	live, err := deployments.Get(t.Context(), "web", metav1.GetOptions{})
	check(t, err)
	equal(t, "replicas", *live.Spec.Replicas, 3)
	owned, err := appsv1.ExtractDeployment(live, "first")
	check(t, err)
	if owned.Spec.Replicas != nil {
		t.Fatal("replicas still belong to the first manager")
	}
	owned.Spec.Template.Spec.Containers[0].Ports = nil
	after, err := deployments.Apply(t.Context(), owned, first)
	check(t, err)
	equal(t, "ports that are no longer applied", len(after.Spec.Template.Spec.Containers[0].Ports), 0)
	equal(t, "replicas of the other manager", *after.Spec.Replicas, 3)
}
