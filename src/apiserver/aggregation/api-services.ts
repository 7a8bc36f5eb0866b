import { randomUUID } from 'node:crypto';
import { locallyAvailable } from '../builtin/api-service-strategy.js';
import type { CustomGroup } from '../discovery/discovery.js';
import type { ApiObject } from '../object.js';
import type { Registry } from '../registry/registry.js';

const COLLECTION = 'apiservices.apiregistration.k8s.io';
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const CUSTOM = { group: 1000, version: 100 };

/** By group; versions have 15 unless they say otherwise. pkg/controlplane/apiserver/aggregator.go of Kubernetes. */
const PRIORITIES: Readonly<Record<string, number>> = {
  '': 18000,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  apps: 17800,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'coordination.k8s.io': 16500,
  'discovery.k8s.io': 16200,
  'events.k8s.io': 17750,
  'flowcontrol.apiserver.k8s.io': 16100,
  'networking.k8s.io': 17200,
  'node.k8s.io': 16300,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'resource.k8s.io': 16200,
  'scheduling.k8s.io': 16600,
  'storage.k8s.io': 16800,
};
const VERSIONS: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'resource.k8s.io/v1': 21,
};

/** Keeps an APIService for each version that the server serves: built-in ones, and those of custom resources as they go. */
export class ApiServices {
  private isPlanned = false;
  private isStopped = false;

  constructor(
    private readonly registry: Registry,
    private readonly customGroups: () => readonly CustomGroup[],
  ) {}

  stop(): void {
    this.isStopped = true;
  }

  storeBuiltIns(): void {
    for (const [group, priority] of Object.entries(PRIORITIES))
      for (const version of group === 'autoscaling' ? ['v1', 'v2'] : ['v1'])
        this.ensure(
          group,
          version,
          priority,
          VERSIONS[group === '' ? version : `${group}/${version}`] ?? 15,
          'onstart',
        );
  }

  /** The custom resources have changed. */
  reconcileLater(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      if (!this.isStopped) this.reconcile();
    });
  }

  private reconcile(): void {
    const served = this.customGroups().flatMap(({ group, versions }) =>
      versions.map((version) => ({ group, version })),
    );
    for (const { group, version } of served) this.ensure(group, version, CUSTOM.group, CUSTOM.version, 'true');
    const wanted = new Set(served.map(({ group, version }) => `${version}.${group}`));
    for (const { key, object } of [...this.registry.store.collection(COLLECTION).range('')])
      if (object.metadata.labels?.[MANAGED] === 'true' && !wanted.has(key)) this.registry.store.remove(COLLECTION, key);
  }

  private ensure(
    group: string,
    version: string,
    groupPriorityMinimum: number,
    versionPriority: number,
    managed: string,
  ): void {
    const name = `${version}.${group}`;
    if (this.registry.store.get(COLLECTION, name)) return;
    const now = this.registry.now();
    const object: ApiObject = {
      kind: 'APIService',
      apiVersion: 'apiregistration.k8s.io/v1',
      metadata: { name, uid: randomUUID(), creationTimestamp: now, labels: { [MANAGED]: managed } },
      spec: { ...(group !== '' && { group }), groupPriorityMinimum, version, versionPriority },
      status: { conditions: [locallyAvailable(now)] },
    };
    this.registry.store.put(COLLECTION, name, object);
  }
}
