import { goQuoted } from '../../base/go-quoted.js';
import { ownMember } from '../../base/own-member.js';
import type { Outcome } from '../transport/response/outcome.js';

const STARTED = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
].map((name) => (name === 'autoregister-completion' ? name : `poststarthook/${name}`));

const ALIVE = ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...STARTED];
/** The checks of a real server, in its order. Here they all pass once the server responds. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ALIVE,
  livez: ALIVE,
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...STARTED, 'shutdown'],
};

/** Returns the paths of /healthz, /livez and /readyz, and of their checks. */
export function healthPaths(): string[] {
  return Object.entries(CHECKS).flatMap(([endpoint, checks = []]) => [
    `/${endpoint}`,
    ...checks.map((name) => `/${endpoint}/${name}`),
  ]);
}

export function healthCheckNames(endpoint: string): readonly string[] {
  return ownMember(CHECKS, endpoint) ?? [];
}

/** Returns the response of /healthz, /livez, /readyz or one of their checks. */
export function healthAnswer(path: string, query: URLSearchParams): Outcome | undefined {
  const [, endpoint = '', check] = /^\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
  const checks = ownMember(CHECKS, endpoint);
  if (!checks) return undefined;
  if (check !== undefined) return checks.includes(check) ? text('ok') : undefined;
  return text(query.has('verbose') ? report(endpoint, checks, query.getAll('exclude')) : 'ok');
}

function report(endpoint: string, checks: readonly string[], excluded: readonly string[]): string {
  const lines = checks.map((name) => (excluded.includes(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const strange = excluded.filter((name) => !checks.includes(name)).sort();
  if (strange.length > 0) {
    const names = strange.map((name) => goQuoted(name)).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  return [...lines, `${endpoint} check passed`, ''].join('\n');
}

function text(body: string): Outcome {
  return { type: 'text', code: 200, contentType: 'text/plain; charset=utf-8', body };
}
