package goprograms

import (
	"context"
	"testing"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "programs.example.com/goodbye"

// reconciler makes a Deployment of each Website, says when it is available, and leaves a ConfigMap when it goes.
type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	site := &Website{}
	if err := r.Get(ctx, request.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.sayGoodbye(ctx, site)
	}
	if controllerutil.AddFinalizer(site, finalizer) {
		if err := r.Update(ctx, site); err != nil {
			return ctrl.Result{}, err
		}
	}
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, web, func() error { return r.shape(web, site) }); err != nil {
		return ctrl.Result{}, err
	}
	isAvailable := metav1.ConditionFalse
	if site.Spec.Replicas > 0 && web.Status.AvailableReplicas == site.Spec.Replicas {
		isAvailable = metav1.ConditionTrue
	}
	base := site.DeepCopyObject().(*Website)
	site.Status.ObservedGeneration = site.Generation
	meta.SetStatusCondition(&site.Status.Conditions, metav1.Condition{Type: "Available", Status: isAvailable, Reason: "Counted"})
	return ctrl.Result{}, r.Status().Patch(ctx, site, client.MergeFrom(base))
}

func (r *reconciler) shape(web *appsv1.Deployment, site *Website) error {
	labels := map[string]string{"website": site.Name}
	web.Spec.Replicas = &site.Spec.Replicas
	web.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	web.Spec.Template.Labels = labels
	if len(web.Spec.Template.Spec.Containers) == 0 {
		web.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web"}}
	}
	web.Spec.Template.Spec.Containers[0].Image = site.Spec.Image
	return controllerutil.SetControllerReference(site, web, r.Scheme())
}

func (r *reconciler) sayGoodbye(ctx context.Context, site *Website) error {
	if !controllerutil.ContainsFinalizer(site, finalizer) {
		return nil
	}
	note := configMap("goodbye-"+site.Name, nil)
	note.Namespace = site.Namespace
	if err := r.Create(ctx, note); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	controllerutil.RemoveFinalizer(site, finalizer)
	return r.Update(ctx, site)
}

func TestManager(t *testing.T) {
	log.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, addWebsites} {
		check(t, add(scheme))
	}
	name := namespace(t)
	cluster, err := client.New(config(t), client.Options{Scheme: scheme})
	check(t, err)
	installWebsites(t, cluster)
	startManager(t, scheme, name)

	site := &Website{ObjectMeta: metav1.ObjectMeta{Name: "site", Namespace: name}, Spec: WebsiteSpec{Replicas: 2}}
	check(t, cluster.Create(t.Context(), site))
	key := client.ObjectKeyFromObject(site)
	untilAvailable(t, cluster, site)
	equal(t, "default of the schema", site.Spec.Image, "nginx:1")

	t.Run("mends what others change", func(t *testing.T) {
		web := &appsv1.Deployment{}
		none := int32(0)
		check(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
			check(t, cluster.Get(t.Context(), key, web))
			web.Spec.Replicas = &none
			return cluster.Update(t.Context(), web)
		}))
		eventually(t, "two replicas again", func(ctx context.Context) (bool, error) {
			err := cluster.Get(ctx, key, web)
			return err == nil && *web.Spec.Replicas == 2, err
		})
	})
	t.Run("follows its spec", func(t *testing.T) {
		check(t, cluster.Patch(t.Context(), site, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":3}}`))))
		untilAvailable(t, cluster, site)
	})
	t.Run("is refused what the schema forbids", func(t *testing.T) {
		bad := &Website{ObjectMeta: metav1.ObjectMeta{Name: "bad", Namespace: name}, Spec: WebsiteSpec{Replicas: -1}}
		equal(t, "invalid", apierrors.IsInvalid(cluster.Create(t.Context(), bad)), true)
	})
	t.Run("cleans up, and its Deployment goes too", func(t *testing.T) {
		check(t, cluster.Delete(t.Context(), site))
		eventually(t, "both are gone", func(ctx context.Context) (bool, error) {
			gone := apierrors.IsNotFound(cluster.Get(ctx, key, site)) && apierrors.IsNotFound(cluster.Get(ctx, key, &appsv1.Deployment{}))
			return gone, nil
		})
		check(t, cluster.Get(t.Context(), client.ObjectKey{Namespace: name, Name: "goodbye-site"}, &corev1.ConfigMap{}))
	})
}

// startManager runs the reconciler, elected, until the test is over.
func startManager(t *testing.T, scheme *runtime.Scheme, namespace string) {
	t.Helper()
	manager, err := ctrl.NewManager(config(t), ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "programs.example.com",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	check(t, err)
	check(t, ctrl.NewControllerManagedBy(manager).For(&Website{}).Owns(&appsv1.Deployment{}).
		Complete(&reconciler{manager.GetClient()}))
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- manager.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		check(t, receive(t, "end of the manager", stopped))
	})
}

// untilAvailable reads the site anew until its status says so of its present spec.
func untilAvailable(t *testing.T, cluster client.Client, site *Website) {
	t.Helper()
	eventually(t, "available", func(ctx context.Context) (bool, error) {
		err := cluster.Get(ctx, client.ObjectKeyFromObject(site), site)
		isCurrent := site.Status.ObservedGeneration == site.Generation
		return isCurrent && meta.IsStatusConditionTrue(site.Status.Conditions, "Available"), err
	})
}
