import type { KubeObject } from '../../api/objects/kube-object.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import { RECONCILED_TYPE } from '../../controller/run/reconciled-condition.js';
import type { CanonicalNames } from './canonical-names.js';

const DROPPED_METADATA = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'selfLink'];

/** Members with values that the cluster assigns: only their presence is compared. */
const ASSIGNED = new Set([
  ...['containerID', 'imageID', 'nodeName', 'hostIP', 'podIP', 'hostIPs', 'podIPs', 'clusterIP', 'clusterIPs'],
  ...['nodePort', 'healthCheckNodePort', 'pod-template-hash', 'controller-revision-hash', 'controller-uid'],
  ...['batch.kubernetes.io/controller-uid', 'resourceVersion', 'currentRevision', 'updateRevision'],
]);

/** Members that count how often something happened. */
const COUNTERS = new Set([
  ...['restartCount', 'lastState', 'collisionCount', 'uncountedTerminatedPods'],
  ...['deployment.kubernetes.io/revision', 'deployment.kubernetes.io/revision-history'],
]);

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The volume with the token of a ServiceAccount, which admission adds to pods. */
const TOKEN_VOLUME = /^kube-api-access-[a-z0-9]{5}$/;

/**
 * Returns an object without what differs between equal runs: uids, versions, times, addresses, nodes and generated names
 * are replaced or left out. Everything else is kept.
 */
export function canonicalObject(object: KubeObject, names: CanonicalNames): JsonObject {
  return new Canonicalizer(names, object).result();
}

/** Returns whether the kind is part of Kubernetes. */
function isBuiltIn({ apiVersion = '' }: KubeObject): boolean {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  return !group.includes('.') || group.endsWith('.k8s.io');
}

class Canonicalizer {
  private readonly generation: number;

  constructor(
    private readonly names: CanonicalNames,
    private readonly object: KubeObject,
  ) {
    this.generation = object.metadata.generation ?? 0;
  }

  result(): JsonObject {
    const { metadata, ...rest } = this.object as KubeObject & { readonly status?: unknown };
    const entries = Object.entries(metadata).filter(([name]) => !DROPPED_METADATA.includes(name));
    const name = this.names.isGenerated(metadata.uid ?? '')
      ? this.names.groupText({ kind: '', name: '' }, metadata.uid)
      : metadata.name;
    const { status, ...members } = this.members(rest);
    // Kubernetes treats a status without content as an absent one.
    const isEmpty = isJsonObject(status) && Object.keys(status).length === 0;
    const own = { ...members, metadata: { ...this.members(Object.fromEntries(entries)), name } };
    return status === undefined || isEmpty ? own : { ...own, status };
  }

  /** An empty list is left out: Kubernetes treats it as an absent one. */
  private members(value: object): JsonObject {
    const entries = Object.entries(value)
      .filter(([name]) => !COUNTERS.has(name))
      .map(([name, member]) => [name, this.member(name, member)] as const)
      .filter(([, member]) => !(Array.isArray(member) && member.length === 0));
    return Object.fromEntries(entries);
  }

  private member(name: string, value: unknown): unknown {
    if (ASSIGNED.has(name)) return value === 'None' || value === undefined ? value : `<${name}>`;
    if (name === 'observedGeneration' && typeof value === 'number') return this.observed(value);
    return Array.isArray(value) ? this.namedList(name, value) : this.value(value);
  }

  /** The order of these lists depends on the order of events. */
  private namedList(name: string, values: readonly unknown[]): unknown[] {
    if (name === 'conditions') return sorted(this.conditions(values), 'type');
    if (name === 'ownerReferences') return sorted(this.list(values), 'name');
    return name === 'finalizers' ? values.map(String).sort() : this.list(values);
  }

  private value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return this.list(value);
    return isJsonObject(value) ? this.members(value) : value;
  }

  private list(values: readonly unknown[]): unknown[] {
    return values.map((value) => this.value(value));
  }

  private text(value: string): string {
    const named = this.names.replaceIn(value);
    if (named.length < 20) return named;
    return named.replace(TIME, '<time>').replace(UID, '<uid>').replace(TOKEN_VOLUME, 'kube-api-access-<random>');
  }

  /** Reasons and messages of Kubernetes' own conditions depend on the order of events. */
  private conditions(values: readonly unknown[]): unknown[] {
    if (!isBuiltIn(this.object)) return this.list(values.filter((value) => !isRecovered(value)));
    return values.map((value) => (isJsonObject(value) ? { type: value['type'], status: value['status'] } : value));
  }

  private observed(value: number): string {
    if (value === this.generation) return '<current>';
    return value < this.generation ? '<older>' : '<newer>';
  }
}

/** The condition of the runtime stays after a failure, and is absent without one. */
function isRecovered(condition: unknown): boolean {
  return isJsonObject(condition) && condition['type'] === RECONCILED_TYPE && condition['status'] === 'True';
}

function sorted(values: readonly unknown[], key: string): unknown[] {
  const keyOf = (value: unknown): string => stringifyJson([isJsonObject(value) ? value[key] : '', value]);
  return values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
