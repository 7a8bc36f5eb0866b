// The operators PodSet and NodePool on sigs.k8s.io/controller-runtime, for `npm run bench:cluster`.
// Usage: cluster podset|nodepool -metrics 127.0.0.1:18080 [-workers 2]
package main

import (
	"flag"
	"fmt"
	"os"

	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func run(operator string, metrics string, workers int) error {
	logger := zap.New(zap.Level(zapcore.DPanicLevel)) // conflicts are retried
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	cfg.QPS = -1
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	addToScheme(scheme)
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: metrics}})
	if err != nil {
		return err
	}
	options := controller.Options{MaxConcurrentReconciles: workers}
	switch operator {
	case "podset":
		err = (&podSets{mgr.GetClient()}).setUp(mgr, options)
	case "nodepool":
		err = (&nodePools{mgr.GetClient(), mgr.GetEventRecorderFor("nodepool")}).setUp(mgr, options)
	default:
		err = fmt.Errorf("unknown operator %q", operator)
	}
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

func main() {
	metrics := flag.String("metrics", "0", "address of the metrics")
	workers := flag.Int("workers", 2, "concurrent reconciles")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: cluster podset|nodepool -metrics ADDRESS [-workers N]")
		os.Exit(2)
	}
	_ = flag.CommandLine.Parse(os.Args[2:])
	if err := run(os.Args[1], *metrics, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
