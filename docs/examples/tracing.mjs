import { NodeSDK } from '@opentelemetry/sdk-node';
new NodeSDK({ serviceName: 'release-operator', autoDetectResources: true }).start(); // reads OTEL_EXPORTER_OTLP_ENDPOINT
