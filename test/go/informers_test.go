package goprograms

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// What is there comes as a stream of events with a bookmark at its end, and what changes after it.
func TestWatchList(t *testing.T) {
	for name, encoding := range map[string]func(*rest.Config){"JSON": func(*rest.Config) {}, "protobuf": onlyProtobuf} {
		t.Run(name, func(t *testing.T) {
			maps := clientset(t, encoding).CoreV1().ConfigMaps(namespace(t))
			_, err := maps.Create(t.Context(), configMap("before", nil), metav1.CreateOptions{})
			check(t, err)
			yes := true
			events, err := maps.Watch(t.Context(), metav1.ListOptions{
				LabelSelector:        "kind=test",
				SendInitialEvents:    &yes,
				AllowWatchBookmarks:  true,
				ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
			})
			check(t, err)
			defer events.Stop()
			first := receive(t, "initial event", events.ResultChan())
			equal(t, "initial event", first.Object.(*corev1.ConfigMap).Name, "before")
			mark := receive(t, "bookmark", events.ResultChan())
			equal(t, "bookmark", mark.Type, watch.Bookmark)
			equal(t, "end of initial events", mark.Object.(*corev1.ConfigMap).Annotations[metav1.InitialEventsAnnotationKey], "true")
			_, err = maps.Create(t.Context(), configMap("after", nil), metav1.CreateOptions{})
			check(t, err)
			equal(t, "event", receive(t, "event", events.ResultChan()).Object.(*corev1.ConfigMap).Name, "after")
		})
	}
}

func TestSharedInformers(t *testing.T) {
	name := namespace(t)
	client := clientset(t)
	create := func(ctx context.Context, name string, in string) {
		_, err := client.CoreV1().ConfigMaps(in).Create(ctx, configMap(name, nil), metav1.CreateOptions{})
		check(t, err)
	}
	create(t.Context(), "before", name)
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Hour, informers.WithNamespace(name))
	maps := factory.Core().V1().ConfigMaps()
	deleted := make(chan string, 10)
	_, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(object any) { deleted <- object.(*corev1.ConfigMap).Name },
	})
	check(t, err)
	factory.Start(t.Context().Done())
	for kind, isSynced := range factory.WaitForCacheSync(t.Context().Done()) {
		equal(t, "synced "+kind.String(), isSynced, true)
	}
	_, err = maps.Lister().ConfigMaps(name).Get("before")
	check(t, err)
	create(t.Context(), "after", name)
	eventually(t, "the lister sees what came after", func(context.Context) (bool, error) {
		all, err := maps.Lister().List(labels.SelectorFromSet(labels.Set{"kind": "test"}))
		return len(all) == 2, err
	})
	check(t, client.CoreV1().ConfigMaps(name).Delete(t.Context(), "before", metav1.DeleteOptions{}))
	equal(t, "deleted", receive(t, "deletion", deleted), "before")
}

func TestMetadataInformer(t *testing.T) {
	name := namespace(t)
	client, err := metadata.NewForConfig(config(t))
	check(t, err)
	factory := metadatainformer.NewFilteredSharedInformerFactory(client, time.Hour, name, nil)
	maps := factory.ForResource(configMaps)
	maps.Informer()
	factory.Start(t.Context().Done())
	equal(t, "synced", factory.WaitForCacheSync(t.Context().Done())[configMaps], true)
	_, err = clientset(t).CoreV1().ConfigMaps(name).Create(t.Context(), configMap("seen", nil), metav1.CreateOptions{})
	check(t, err)
	eventually(t, "the lister sees it", func(context.Context) (bool, error) {
		object, err := maps.Lister().ByNamespace(name).Get("seen")
		return object != nil, err
	})
}
