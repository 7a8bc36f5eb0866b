package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	role      = "node-role.kubernetes.io/"
	finalizer = "nodes.lailin.xyz/node-finalizer"
)

// nodePools does the part of the work of operators/nodepool.ts that a new pool needs.
type nodePools struct {
	client.Client
	events record.EventRecorder
}

func (r *nodePools) setUp(mgr ctrl.Manager, options controller.Options) error {
	ofNode := func(_ context.Context, node client.Object) []reconcile.Request {
		var requests []reconcile.Request
		for key, value := range node.GetLabels() {
			if name, ok := strings.CutPrefix(key, role); ok && value == "" {
				requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Name: name}})
			}
		}
		return requests
	}
	return ctrl.NewControllerManagedBy(mgr).For(&NodePool{}).Owns(&nodev1.RuntimeClass{}).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(ofNode)).WithOptions(options).Complete(r)
}

func (r *nodePools) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pool NodePool
	if err := r.Get(ctx, req.NamespacedName, &pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(&pool, finalizer) {
		if err := r.Update(ctx, &pool); err != nil {
			return ctrl.Result{}, err
		}
	}
	var nodes corev1.NodeList
	if err := r.List(ctx, &nodes, client.MatchingLabels{role + pool.Name: ""}); err != nil {
		return ctrl.Result{}, err
	}
	for i := range nodes.Items {
		if err := r.correct(ctx, &pool, &nodes.Items[i]); err != nil {
			return ctrl.Result{}, err
		}
	}
	class := nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: pool.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, &class, func() error {
		class.Handler = pool.Spec.Handler
		class.Scheduling = &nodev1.Scheduling{NodeSelector: pool.Spec.Labels}
		for _, taint := range pool.Spec.Taints {
			toleration := corev1.Toleration{Key: taint.Key, Value: taint.Value, Effect: taint.Effect, Operator: corev1.TolerationOpEqual}
			class.Scheduling.Tolerations = append(class.Scheduling.Tolerations, toleration)
		}
		return controllerutil.SetControllerReference(&pool, &class, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	before := pool.DeepCopyObject().(*NodePool).Status
	pool.Status.Nodes = int32(len(nodes.Items))
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Applied", ObservedGeneration: pool.Generation}
	meta.SetStatusCondition(&pool.Status.Conditions, ready)
	if equality.Semantic.DeepEqual(before, pool.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, &pool)
}

func (r *nodePools) correct(ctx context.Context, pool *NodePool, node *corev1.Node) error {
	before := node.DeepCopy()
	maps.Copy(node.Labels, pool.Spec.Labels)
	for _, taint := range pool.Spec.Taints {
		isSame := func(other corev1.Taint) bool { return other.MatchTaint(&taint) }
		node.Spec.Taints = append(slices.DeleteFunc(node.Spec.Taints, isSame), taint)
	}
	if equality.Semantic.DeepEqual(before, node) {
		return nil
	}
	if err := r.Update(ctx, node); err != nil {
		return err
	}
	r.events.Eventf(node, corev1.EventTypeNormal, "NodeJoined", "node %s joined the pool", node.Name)
	return nil
}
