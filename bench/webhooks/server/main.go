// The webhooks of candidate.ts on controller-runtime. Usage: server -cert-dir DIR -port PORT
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const maxSize = 1000

type reviewer struct{}

func (reviewer) Default(_ context.Context, set *PodSet) error {
	if set.Labels == nil {
		set.Labels = map[string]string{}
	}
	if _, ok := set.Labels["team"]; !ok {
		set.Labels["team"] = "none"
	}
	return nil
}

func (reviewer) ValidateCreate(_ context.Context, set *PodSet) (admission.Warnings, error) {
	if set.Spec.Size > maxSize {
		return nil, fmt.Errorf("spec.size: at most %d", maxSize)
	}
	return nil, nil
}

func (reviewer) ValidateUpdate(_ context.Context, old, set *PodSet) (admission.Warnings, error) {
	if set.Spec.Size < old.Spec.Size {
		return nil, fmt.Errorf("spec.size: may not shrink")
	}
	return nil, nil
}

func (reviewer) ValidateDelete(context.Context, *PodSet) (admission.Warnings, error) {
	return nil, nil
}

func run() error {
	certDir := flag.String("cert-dir", "", "folder of tls.crt and tls.key")
	port := flag.Int("port", 0, "port")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.Level(zapcore.ErrorLevel)))
	scheme := runtime.NewScheme()
	if err := schemeBuilder.AddToScheme(scheme); err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certDir})
	server.Register("/mutate-apps-jicki-cn-podset", admission.WithDefaulter[*PodSet](scheme, reviewer{}))
	server.Register("/validate-apps-jicki-cn-podset", admission.WithValidator[*PodSet](scheme, reviewer{}))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return server.Start(ctx)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
