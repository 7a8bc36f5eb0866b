// cache caches all Pods of a server with controller-runtime and prints the memory of its process.
//
// Arguments: the shape (whole, five fields, metadata only) and the URL of the server. See ../../README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func fiveFields(object any) (any, error) {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object, nil
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp, Labels: pod.Labels, Annotations: pod.Annotations,
			OwnerReferences: pod.OwnerReferences,
		},
		Spec:   corev1.PodSpec{NodeName: pod.Spec.NodeName},
		Status: corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP, StartTime: pod.Status.StartTime},
	}, nil
}

func memory(key string) float64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

func run(shape, server string) error {
	ctrl.SetLogger(klog.Background())
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	gvk := corev1.SchemeGroupVersion.WithKind("Pod")
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(gvk, meta.RESTScopeNamespace)
	options := cache.Options{Scheme: scheme, Mapper: mapper, DefaultTransform: cache.TransformStripManagedFields()}
	var object client.Object = &corev1.Pod{}
	switch shape {
	case "whole":
	case "five fields":
		options.DefaultTransform = fiveFields
	case "metadata only":
		metadata := &metav1.PartialObjectMetadata{}
		metadata.SetGroupVersionKind(gvk)
		object = metadata
	default:
		return fmt.Errorf("unknown shape %q", shape)
	}
	config := &rest.Config{Host: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	pods, err := cache.New(config, options)
	if err != nil {
		return err
	}
	ctx := context.Background()
	informer, err := pods.GetInformer(ctx, object)
	if err != nil {
		return err
	}
	go func() { _ = pods.Start(ctx) }()
	if !pods.WaitForCacheSync(ctx) {
		return errors.New("the cache did not sync")
	}
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	cpu := (usage.Utime.Sec+usage.Stime.Sec)*1000 + int64(usage.Utime.Usec+usage.Stime.Usec)/1000
	debug.FreeOSMemory()
	count := len(informer.(toolscache.SharedIndexInformer).GetStore().ListKeys())
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"objects": count, "rss": memory("VmRSS"), "peak": memory("VmHWM"), "cpuMs": cpu,
	})
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
