import { ownMember } from '../../base/own-member.js';
import { randomUUID } from 'node:crypto';
import { locallyAvailable } from '../builtin/api-service-strategy.js';
import type { CustomGroup } from '../discovery/discovery.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { GROUP_PRIORITIES, groupPriority } from '../discovery/group-priority.js';
import { API_SERVICES } from './service-reference.js';

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const CUSTOM_VERSION_PRIORITY = 100;

/** Version priorities other than the default 15. */
const VERSIONS: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'resource.k8s.io/v1': 21,
};

/**
 * Keeps an APIService for each version that this server serves, built-in and custom; those of custom resources are
 * deleted with them.
 */
export class ApiServices {
  private isPlanned = false;
  private isStopped = false;

  constructor(
    private readonly registry: Registry,
    resources: ResourceRegistry,
    private readonly customGroups: () => readonly CustomGroup[],
  ) {
    resources.subscribe(() => {
      this.reconcileLater();
    });
  }

  stop(): void {
    this.isStopped = true;
  }

  storeBuiltIns(): void {
    for (const [group, priority] of Object.entries(GROUP_PRIORITIES))
      for (const version of group === 'autoscaling' ? ['v1', 'v2'] : ['v1'])
        this.ensure(
          group,
          version,
          priority,
          ownMember(VERSIONS, group === '' ? version : `${group}/${version}`) ?? 15,
          'onstart',
        );
  }

  private reconcileLater(): void {
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
    for (const { group, version } of served)
      this.ensure(group, version, groupPriority(group), CUSTOM_VERSION_PRIORITY, 'true');
    const wanted = new Set(served.map(({ group, version }) => `${version}.${group}`));
    for (const { key, object } of [...this.registry.store.collection(API_SERVICES).range('')])
      if (object.metadata.labels?.[MANAGED] === 'true' && !wanted.has(key))
        this.registry.store.remove(API_SERVICES, key);
  }

  private ensure(
    group: string,
    version: string,
    groupPriorityMinimum: number,
    versionPriority: number,
    managed: string,
  ): void {
    const name = `${version}.${group}`;
    if (this.registry.store.get(API_SERVICES, name)) return;
    const now = this.registry.now();
    const object: ApiObject = {
      kind: 'APIService',
      apiVersion: 'apiregistration.k8s.io/v1',
      metadata: { name, uid: randomUUID(), creationTimestamp: now, labels: { [MANAGED]: managed } },
      spec: { ...(group !== '' && { group }), groupPriorityMinimum, version, versionPriority },
      status: { conditions: [locallyAvailable(now)] },
    };
    this.registry.store.put(API_SERVICES, name, object);
  }
}
