import { goQuoted } from '../../base/go-quoted.js';
import { randomUUID } from 'node:crypto';
import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import {
  arrayAt,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
  type ManagedFieldsEntry,
  numberAt,
} from '../objects/api-object.js';
import { applyStatus } from '../registry/apply.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { defaultFlowControl } from '../data/default-flow-control.js';
import type { ObjectStore } from '../storage/object-store.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const [SCHEMAS, LEVELS] = [`flowschemas.${GROUP}`, `prioritylevelconfigurations.${GROUP}`];
const [CONSUMER, PRODUCER] = ['consumer', 'producer'].map((part) => `api-priority-and-fairness-config-${part}-v1`) as [
  string,
  string,
];

/** Maintains the Dangling condition of each FlowSchema: whether its priority level exists. */
export class FlowSchemas {
  private readonly unsubscribe: (() => void)[];

  constructor(
    private readonly registry: Registry,
    private readonly resources: ResourceRegistry,
  ) {
    this.unsubscribe = [SCHEMAS, LEVELS].map((name) =>
      registry.store.collection(name).subscribe(() => setImmediate(() => this.reconcile())),
    );
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Stores the default objects with their initial status. */
  storeDefaults(): void {
    const { store } = this.registry;
    const creationTimestamp = this.registry.now();
    for (const { kind, name, spec } of defaultFlowControl()) {
      const collection = kind === 'FlowSchema' ? SCHEMAS : LEVELS;
      if (store.get(collection, name)) continue;
      const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
      const managedFields = entriesOf(kind, spec, creationTimestamp);
      const metadata = { name, uid: randomUUID(), creationTimestamp, generation: 1, annotations, managedFields };
      const object: ApiObject = { kind, apiVersion: `${GROUP}/v1`, metadata, spec, status: {} };
      store.put(collection, name, kind === 'FlowSchema' ? { ...object, status: this.statusOf(object) } : object);
    }
  }

  private reconcile(): void {
    const resource = this.resources.find(`${GROUP}/v1`, 'flowschemas');
    for (const { object } of resource ? [...this.registry.store.collection(SCHEMAS).range('')] : []) {
      const [present] = arrayAt(object.status, 'conditions') as ConditionLike[];
      const status = this.statusOf(object);
      if (!resource || present?.message === status.conditions[0]?.message) continue;
      const { name } = object.metadata;
      applyStatus(this.registry, resource, { name, status: { ...status }, fieldManager: CONSUMER });
    }
  }

  private statusOf({ spec, status }: ApiObject): { conditions: ConditionLike[] } {
    const level = stringAt(objectAt(spec, 'priorityLevelConfiguration'), 'name');
    const isThere = this.registry.store.get(LEVELS, level) !== undefined;
    const what = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuoted(level)}`;
    const condition = {
      type: 'Dangling',
      status: isThere ? 'False' : 'True',
      reason: isThere ? 'Found' : 'NotFound',
      message: `${what} ${isThere ? 'and it exists' : 'but there is no such object'}`,
    };
    return {
      conditions: setCondition(arrayAt(status, 'conditions') as ConditionLike[], condition, this.registry.now()),
    };
  }
}

const OWNED_STATUS = {
  'f:conditions': {
    'k:{"type":"Dangling"}': {
      '.': {},
      'f:lastTransitionTime': {},
      'f:message': {},
      'f:reason': {},
      'f:status': {},
      'f:type': {},
    },
  },
};

/** Returns managedFields as written by the two parts of the real server's flow control. */
function entriesOf(kind: string, spec: JsonObject, time: string): ManagedFieldsEntry[] {
  const entry = { apiVersion: `${GROUP}/v1`, time, fieldsType: 'FieldsV1' };
  const annotations = { '.': {}, 'f:apf.kubernetes.io/autoupdate-spec': {} };
  const fieldsV1 = { 'f:metadata': { 'f:annotations': annotations }, 'f:spec': ownedFields(spec) };
  const produced = { ...entry, manager: PRODUCER, operation: 'Update' as const, fieldsV1 };
  const found = { ...entry, manager: CONSUMER, operation: 'Apply' as const, fieldsV1: { 'f:status': OWNED_STATUS } };
  return kind === 'FlowSchema' ? [{ ...found, subresource: 'status' }, produced] : [produced];
}

/** Struct fields that are always present. */
const ALWAYS = ['priorityLevelConfiguration'];

function ownedFields(of: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(of).map(([name, value]) => {
      const fields = isJsonObject(value) ? ownedFields(value) : {};
      return [`f:${name}`, isJsonObject(value) && !ALWAYS.includes(name) ? { '.': {}, ...fields } : fields];
    }),
  );
}

/** The default of --max-requests-inflight plus --max-mutating-requests-inflight of kube-apiserver. */
const SEATS = 600;

/** Returns the concurrency limit of each priority level, computed from its share of SEATS. */
export function nominalSeats(store: ObjectStore): ReadonlyMap<string, number> {
  const levels = [...store.collection(LEVELS).range('')].map(({ object }) => object);
  const total = levels.reduce((sum, level) => sum + sharesOf(level), 0);
  return new Map(levels.map((level) => [level.metadata.name, Math.ceil((SEATS * sharesOf(level)) / total)]));
}

function sharesOf({ spec }: ApiObject): number {
  const { limited, exempt } = objectAt({ spec }, 'spec');
  return numberAt(limited ?? exempt, 'nominalConcurrencyShares') ?? 0;
}
