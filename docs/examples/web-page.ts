import {
  ConfigMap,
  CustomResource,
  Dependent,
  Deployment,
  type Desired,
  Field,
  Ingress,
  Kind,
  OperatorError,
  Sample,
  Service,
} from 'kindwright';

const HTML = '<html><head><title>Hello Operator World</title></head><body>Hello World!</body></html>';

class WebPageSpec {
  @Field() html!: string;

  /** Whether an Ingress leads to the page. */
  @Field({ default: false }) exposed?: boolean;
}

class WebPageStatus {
  @Field() htmlConfigMap?: string;
  @Field() areWeGood?: boolean;
  @Field() errorMessage?: string;
}

/** WebPage is a page that nginx serves. */
@Kind({ group: 'sample.javaoperatorsdk', version: 'v1' })
@Sample({ name: 'hellows', spec: { exposed: false, html: HTML } })
export class WebPage extends CustomResource {
  @Field() spec!: WebPageSpec;
  @Field() status!: WebPageStatus;

  @Dependent(ConfigMap)
  html(): Desired<ConfigMap> {
    return { metadata: { name: this.configMap }, data: { 'index.html': this.spec.html } };
  }

  @Dependent(Deployment)
  servers(): Desired<Deployment> {
    const volumes = [{ name: 'html-volume', configMap: { name: this.configMap } }];
    const volumeMounts = [{ name: 'html-volume', mountPath: '/usr/share/nginx/html' }];
    const containers = [{ name: 'nginx', image: 'nginx:1.17.0', ports: [{ containerPort: 80 }], volumeMounts }];
    return {
      metadata: this.named,
      spec: {
        replicas: 1,
        selector: { matchLabels: this.labels },
        template: { metadata: { labels: this.labels }, spec: { containers, volumes } },
      },
    };
  }

  @Dependent(Service)
  address(): Desired<Service> {
    const ports = [{ protocol: 'TCP', port: 80, targetPort: 80 }];
    return { metadata: this.named, spec: { type: 'NodePort', selector: this.labels, ports } };
  }

  @Dependent(Ingress, { when: (page: WebPage) => page.spec.exposed === true })
  entry(): Desired<Ingress> {
    const annotations = { 'nginx.ingress.kubernetes.io/rewrite-target': '/$1' };
    const backend = { service: { ...this.named, port: { number: 80 } } };
    const paths = [{ path: '/', pathType: 'Prefix', backend }];
    return { metadata: { ...this.named, annotations }, spec: { rules: [{ http: { paths } }] } };
  }

  /** Runs after the dependents. */
  reconcile(): void {
    if (this.spec.html.includes('error')) {
      this.status.errorMessage = 'Error: Simulating error';
      throw new OperatorError('Simulating error', { code: 'E_SIMULATED' });
    }
    this.status.htmlConfigMap = this.configMap;
    this.status.areWeGood = true;
    delete this.status.errorMessage;
  }

  private get named(): { name: string } {
    return { name: this.metadata.name };
  }

  private get labels(): Record<string, string> {
    return { app: this.metadata.name };
  }

  private get configMap(): string {
    return `${this.metadata.name}-html`;
  }
}
