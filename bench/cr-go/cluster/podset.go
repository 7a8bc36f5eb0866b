package main

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// podSets does the work of operators/podset.ts as kubebuilder's guide describes it.
type podSets struct{ client.Client }

func (r *podSets) setUp(mgr ctrl.Manager, options controller.Options) error {
	ofPod := func(_ context.Context, pod client.Object) []reconcile.Request {
		name, ok := pod.GetLabels()["podSet_cr"]
		if !ok {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: pod.GetNamespace(), Name: name}}}
	}
	return ctrl.NewControllerManagedBy(mgr).For(&PodSet{}).Owns(&appsv1.Deployment{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(ofPod)).WithOptions(options).Complete(r)
}

func (r *podSets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set PodSet
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	labels := map[string]string{"app": "podSet", "podSet_cr": set.Name}
	deployment := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, &deployment, func() error {
		deployment.Labels = labels
		deployment.Spec.Replicas = &set.Spec.Size
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		containers := &deployment.Spec.Template.Spec.Containers
		if len(*containers) != 1 {
			*containers = make([]corev1.Container, 1)
		}
		container := &(*containers)[0]
		container.Name, container.Image, container.Command = "podset", "busybox", []string{"sleep", "3600"}
		if len(container.Ports) != 1 {
			container.Ports = make([]corev1.ContainerPort, 1)
		}
		container.Ports[0].Name, container.Ports[0].ContainerPort = "podset", 1234
		return controllerutil.SetControllerReference(&set, &deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(set.Namespace), client.MatchingLabels(labels)); err != nil {
		return ctrl.Result{}, err
	}
	nodes := []string{}
	for _, pod := range pods.Items {
		isDone := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if pod.DeletionTimestamp == nil && !isDone {
			nodes = append(nodes, pod.Name)
		}
	}
	slices.Sort(nodes)
	if slices.Equal(nodes, set.Status.Nodes) {
		return ctrl.Result{}, nil
	}
	set.Status.Nodes = nodes
	return ctrl.Result{}, r.Status().Update(ctx, &set)
}
