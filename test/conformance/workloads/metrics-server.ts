import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { items, type ClusterSuite } from '../controllers/cluster-suite.js';

const APIS = '/apis/apiregistration.k8s.io/v1/apiservices';
const GROUPS = [
  ['metrics.k8s.io', 'v1beta1'],
  ['custom.metrics.k8s.io', 'v1beta2'],
  ['external.metrics.k8s.io', 'v1beta1'],
] as const;

/** The usage of a pod of an app with this number of pods, or the value of a metric; undefined if there is none. */
export interface Measured {
  usage(app: string, index: number, count: number): Readonly<Record<string, string>> | undefined;
  /** The metric and its subject: `pods`, an object such as `services/name`, or `external`. */
  metric(name: string, about: string, count: number): string | undefined;
}

/** Serves the three metrics APIs of Kubernetes behind APIServices, of pods that are there. */
export class MetricsServer {
  private constructor(
    private readonly suite: ClusterSuite,
    private readonly server: Server,
  ) {}

  static async start(suite: ClusterSuite, measured: Measured): Promise<MetricsServer> {
    const { keyPem, certPem } = createServingIdentity(Date.now());
    const server = createServer({ key: keyPem, cert: certPem }, (message, response) => {
      void answer(suite, measured, new URL(message.url ?? '', 'https://metrics')).then((body) => {
        response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify(body ?? { kind: 'Status', status: 'Failure', code: 404, message: 'nothing known' }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const metrics = new MetricsServer(suite, server);
    await metrics.register();
    return metrics;
  }

  async stop(): Promise<void> {
    for (const [group, version] of GROUPS) await this.suite.requests.send('DELETE', `${APIS}/${version}.${group}`);
    this.server.close();
    this.server.closeAllConnections();
  }

  private async register(): Promise<void> {
    const { namespace } = this.suite;
    const { port } = this.server.address() as AddressInfo;
    await this.suite.create('services', 'Service', 'metrics', {
      spec: { type: 'ExternalName', externalName: '127.0.0.1' },
    });
    for (const [group, version] of GROUPS) {
      const service = { namespace, name: 'metrics', port };
      const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
      await this.suite.requests.must('POST', APIS, {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `${version}.${group}` },
        spec: { group, version, ...priorities, insecureSkipTLSVerify: true, service },
      });
      await this.suite.requests.until(
        () => this.suite.get(`/apis/${group}/${version}`),
        ({ code }) => code === 200,
      );
    }
  }
}

async function answer(
  suite: ClusterSuite,
  measured: Measured,
  { pathname, searchParams }: URL,
): Promise<object | undefined> {
  const [, , group = '', version = '', , , ...about] = decodeURIComponent(pathname).split('/');
  const apiVersion = `${group}/${version}`;
  if (about.length === 0) return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources: [] };
  const pods = await podsOf(suite, searchParams.get('labelSelector') ?? '');
  const values = VALUES[group]!(measured, about, pods);
  return values && { apiVersion, metadata: {}, ...values };
}

type Values = (measured: Measured, about: string[], pods: Json[]) => { kind: string; items: object[] } | undefined;

const VALUES: Readonly<Record<string, Values>> = {
  'metrics.k8s.io': (measured, _, pods) => ({
    kind: 'PodMetricsList',
    items: pods.flatMap((pod, index) => usage(measured, pod, index, pods.length)),
  }),
  'external.metrics.k8s.io': (measured, [metricName = '']) => {
    const value = measured.metric(metricName, 'external', 0);
    const item = { metricName, metricLabels: {}, timestamp: LATER, value };
    return value === undefined ? undefined : { kind: 'ExternalMetricValueList', items: [item] };
  },
  'custom.metrics.k8s.io': (measured, [resource = '', of = '', metric = ''], pods) => {
    const names = of === '*' ? pods.map(({ metadata }) => text(metadata!.name)) : [of];
    const value = measured.metric(metric, of === '*' ? resource : `${resource}/${of}`, names.length);
    const kind = of === '*' ? 'Pod' : 'Service';
    const items = names.map((name) => ({
      describedObject: { kind, name, apiVersion: '/v1' },
      metric: { name: metric, selector: null },
      timestamp: LATER,
      value,
    }));
    return value === undefined ? undefined : { kind: 'MetricValueList', items };
  },
};

/** Pods are ready for long when this is measured. */
const LATER = '2099-01-01T00:00:00Z';

function usage(measured: Measured, { metadata }: Json, index: number, count: number): object[] {
  const used = measured.usage(text((metadata!.labels as Json).app), index, count);
  if (!used) return [];
  const { name, namespace } = metadata!;
  return [{ metadata: { name, namespace }, timestamp: LATER, window: '15s', containers: [{ name: 'c', usage: used }] }];
}

async function podsOf(suite: ClusterSuite, query: string): Promise<Json[]> {
  const { body } = await suite.get(`${suite.path('pods')}?labelSelector=${encodeURIComponent(query)}`);
  return items(body);
}
