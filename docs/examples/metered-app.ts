import {
  Condition,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Kind,
  kindByName,
  type KubeObject,
  Service,
} from 'kindwright';

interface ServiceMonitorObject extends KubeObject {
  spec?: { selector: { matchLabels: Record<string, string> }; endpoints: { port: string }[] };
}

/** Exists in clusters with the Prometheus operator. */
export const ServiceMonitor = kindByName<ServiceMonitorObject>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'ServiceMonitor',
});

class MeteredAppSpec {
  @Field({ format: 'int32', default: 8080 }) port!: number;
}

class MeteredAppStatus {
  @Field() conditions?: Condition[];
}

@Kind({ group: 'example.com', version: 'v1' })
export class MeteredApp extends CustomResource {
  @Field() spec!: MeteredAppSpec;
  @Field() status!: MeteredAppStatus;

  @Dependent(Service)
  service(): Desired<Service> {
    const { name } = this.metadata;
    const ports = [{ name: 'metrics', port: this.spec.port }];
    return { metadata: { name, labels: { app: name } }, spec: { selector: { app: name }, ports } };
  }

  @Dependent(ServiceMonitor, { optional: true })
  monitor(): Desired<ServiceMonitorObject> {
    const { name } = this.metadata;
    const spec = { selector: { matchLabels: { app: name } }, endpoints: [{ port: 'metrics' }] };
    return { metadata: { name }, spec };
  }
}
