import type { KubeObject, UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import type { Plan, PlannedFault } from '../../../src/simulation/plan/plan.js';
import type {
  Actor,
  Commit,
  History,
  ObjectRef,
  ReconcileRecord,
  RequestRecord,
  SeenRecord,
  Snapshot,
} from '../../../src/simulation/record/history.js';

export const USER: Actor = { type: 'user', name: 'user' };
export const FAULT: Actor = { type: 'fault', name: 'edit' };
export const CONTROLLER: Actor = { type: 'controller', name: 'replicaset-controller' };
export const OPERATOR: Actor = { type: 'operator', name: 'operator-1', life: 1 };

const PLAN: Plan = { seed: 0, given: [], workload: [], faults: [], replicas: 1, nodes: 1, schedule: 'first' };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Builds the history of a run by hand, write by write. */
export class RunBuilder {
  readonly commits: Commit[] = [];
  readonly reconciles: ReconcileRecord[] = [];
  readonly requests: RequestRecord[] = [];
  readonly overrides: Partial<Mutable<History>> = {};
  at = 0;
  private readonly live = new Map<string, KubeObject>();
  private revision = 0;
  private calmSnapshot: Snapshot | undefined;
  private pokedSnapshot: Snapshot | undefined;
  private removedSnapshot: Snapshot | undefined;
  private plan: Plan = PLAN;

  constructor(private readonly prefix = 'u') {}

  /** Objects that exist before the run. */
  given(object: UnstructuredObject): KubeObject {
    return this.store(object, `${this.prefix}-given-${String(++this.revision)}`);
  }

  create(actor: Actor, object: UnstructuredObject, request?: number): KubeObject {
    const uid = `${this.prefix}-${String(++this.revision)}-${'0'.repeat(8)}`;
    const after = this.store(object, uid);
    this.commit({ verb: 'create', actor, after, request });
    return after;
  }

  update(actor: Actor, object: KubeObject, change: (draft: UnstructuredObject) => void, request?: number): KubeObject {
    const before = this.live.get(object.metadata.uid ?? '') ?? object;
    const draft = structuredClone(before) as UnstructuredObject;
    change(draft);
    const after = this.store(draft, before.metadata.uid ?? '');
    this.commit({ verb: 'update', actor, before, after, request });
    return after;
  }

  delete(actor: Actor, object: KubeObject, request?: number): void {
    const before = this.live.get(object.metadata.uid ?? '') ?? object;
    this.live.delete(object.metadata.uid ?? '');
    this.commit({ verb: 'delete', actor, before, request });
  }

  /** Adds a reconcile that knew the present version of its object and ended in the same moment; returns the operator as its actor. */
  reconcile(object: KubeObject, values: Partial<ReconcileRecord> = {}, reads: readonly KubeObject[] = []): Actor {
    const actor = { ...OPERATOR, reconcile: this.reconciles.length };
    this.reconciles.push({
      index: this.reconciles.length,
      at: this.at,
      endedAt: this.at,
      outcome: 'done',
      actor: OPERATOR,
      controller: object.kind ?? '',
      object: refOf(object),
      own: this.seen(object),
      reads: reads.map((read) => this.seen(read)),
      answers: [],
      ...values,
    });
    return actor;
  }

  private seen(object: KubeObject): SeenRecord {
    const { uid = '' } = object.metadata;
    return { object: refOf(object), uid, resourceVersion: this.live.get(uid)?.metadata.resourceVersion };
  }

  request(values: Partial<RequestRecord> & Pick<RequestRecord, 'verb' | 'object'>): number {
    const index = this.requests.length;
    this.requests.push({ index, at: this.at, answeredAt: this.at, status: 200, actor: OPERATOR, ...values });
    return index;
  }

  faults(...faults: readonly string[]): this {
    const planned: PlannedFault[] = faults.map((fault) => ({ fault, trigger: { point: 'start', nth: 1 } }));
    this.plan = { ...this.plan, faults: planned };
    this.overrides.fired = planned.map((fault) => ({ fault, at: 0 }));
    return this;
  }

  calm(isQuiet = true): this {
    this.calmSnapshot = this.snapshot(isQuiet);
    return this;
  }

  poked(): this {
    this.pokedSnapshot = this.snapshot(true);
    return this;
  }

  removed(): this {
    this.removedSnapshot = this.snapshot(true);
    return this;
  }

  build(): History {
    return {
      plan: this.plan,
      commits: this.commits,
      requests: this.requests,
      reconciles: this.reconciles,
      deliveries: [],
      steps: [],
      calm: this.calmSnapshot ?? this.snapshot(true),
      poked: this.pokedSnapshot,
      removed: this.removedSnapshot,
      breakdowns: [],
      fired: [],
      definedKinds: ['Web.example.com'],
      ownedKinds: ['Deployment.apps'],
      fieldManagers: ['web'],
      hash: '',
      ...this.overrides,
    };
  }

  private snapshot(isQuiet: boolean): Snapshot {
    return { at: ++this.at, isQuiet, objects: [...this.live.values()] };
  }

  private store(object: KubeObject, uid: string): KubeObject {
    const stored = structuredClone(object);
    stored.metadata.uid = uid;
    stored.metadata.resourceVersion = String(++this.revision);
    this.live.set(uid, stored);
    return stored;
  }

  private commit(values: Omit<Commit, 'index' | 'at' | 'object' | 'uid'>): void {
    const { before, after } = values;
    const object = after ?? before;
    if (!object) throw new Error('a commit has an object');
    const uid = object.metadata.uid ?? '';
    this.commits.push({ index: this.commits.length, at: ++this.at, object: refOf(object), uid, ...values });
  }
}

/** Deletes an object with the propagation `Orphan`: what it owns loses its owner. */
export function orphan(builder: RunBuilder, deleter: Actor, owner: KubeObject, owned: KubeObject): void {
  builder.update(deleter, owner, (draft) => {
    Object.assign(draft.metadata, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['orphan'] });
  });
  builder.update(CONTROLLER, owned, (draft) => {
    draft.metadata.ownerReferences = [];
  });
  builder.delete(CONTROLLER, owner);
}

export function refOf({ apiVersion = '', kind = '', metadata }: KubeObject): ObjectRef {
  const [group = '', version = group] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespace: metadata.namespace, name: metadata.name };
}

export function web(name = 'a', values: object = {}): UnstructuredObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Web',
    metadata: { name, namespace: 'default', generation: 1 },
    ...values,
  };
}

export function child(kind: string, name: string, owner?: KubeObject, values: object = {}): UnstructuredObject {
  const ownerReferences = owner && [
    {
      apiVersion: owner.apiVersion ?? '',
      kind: owner.kind ?? '',
      name: owner.metadata.name,
      uid: owner.metadata.uid ?? '',
      controller: true,
    },
  ];
  const apiVersion = ['Deployment', 'ReplicaSet', 'StatefulSet'].includes(kind) ? 'apps/v1' : 'v1';
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'default', ...(ownerReferences && { ownerReferences }) },
    ...values,
  };
}
