import type { RequestInfo } from '../../api/access/request-info.js';
import type { Clock } from '../../base/clock.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { MemoryMessage } from '../../apiserver/transport/memory/memory-message.js';
import type { MemoryResponse } from '../../apiserver/transport/memory/memory-response.js';
import type { Resource } from '../../apiserver/resources/resource.js';
import type { StoredObject, StoreEvent } from '../../apiserver/storage/stored-object.js';
import type { Plan } from '../plan/plan.js';
import type { Actor, ObjectRef, RequestRecord, Snapshot } from '../record/history.js';
import type { ClusterImage, SimulatedServer } from './cluster-image.js';
import { real, type WorldGlobals } from './globals.js';
import { KeyedRandom } from './keyed-random.js';
import { Recorder } from './recorder.js';
import { StepScheduler } from './step-scheduler.js';
import type { Owner, Task } from './world-step.js';
import type { SentRequest, WorldEvent } from './world-event.js';

/** Start of virtual time. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);
/** Collections with changes that are no progress of the cluster. */
const HEARTBEATS = new Set(['leases.coordination.k8s.io', 'events', 'events.events.k8s.io']);
/** Longest delay of a message on its way, except for one in a thousand. */
const LATENCY_MS = 5;
const RARE_LATENCY_MS = 2000;

/** Label of timers that were started with the functions of Node. */
const OWN_TIMER = 'own timer';

/** A request on its way, which ends with its client. */
export interface OpenExchange extends SentRequest {
  readonly owner: Owner;
  /** Ends the request because its client is dead. */
  abandon(): void;
}

/** The time, the server and everything that happens in one run. */
export class World implements WorldGlobals, Clock {
  readonly random: KeyedRandom;
  readonly scheduler: StepScheduler;
  readonly recorder: Recorder;
  readonly server: Owner = { name: 'server', isDead: false };
  readonly user: Owner = { name: 'user', isDead: false };
  /** The requests on their way. */
  readonly exchanges = new Set<OpenExchange>();
  /** Called with everything at which a fault can begin. */
  onEvent: (event: WorldEvent) => void = () => undefined;
  /** Called with what a step or a promise of a process throws. */
  onError: (owner: Owner, error: unknown, kind: 'unhandled rejection' | 'uncaught exception') => void = () => undefined;
  /** True to record the lines of the user's code that read and write. */
  isTraced = false;
  /** How far the wall clock is off. */
  skewMs = 0;
  /** Virtual time of the last change of the cluster. */
  lastChangeMs = 0;
  /** Number of changes by the operator. */
  ownChanges = 0;
  private readonly serverTask: Task = { owner: this.server, label: 'server' };
  private readonly counts = new Map<string, number>();
  /** The revisions of the changes of each collection. */
  private readonly revisions = new Map<string, number[]>();
  private readonly byStorage = new Map<string, Resource>();
  private simulated: SimulatedServer | undefined;
  private isFrozen = false;

  constructor(
    private readonly plan: Pick<Plan, 'seed' | 'schedule' | 'divergence'>,
    private readonly startMs = EPOCH_MS,
    beat: () => void = () => undefined,
  ) {
    this.random = new KeyedRandom(plan.seed);
    this.recorder = new Recorder(() => this.scheduler.nowMs);
    this.scheduler = new StepScheduler({
      schedule: plan.schedule,
      divergence: plan.divergence,
      random: this.random,
      settle: real.setImmediate,
      onStep: ({ task }) => {
        beat();
        this.recorder.note(`${this.scheduler.nowMs} ${task.label}`);
      },
      onError: ({ task }, error) => {
        this.onError(task.owner, error, 'uncaught exception');
      },
    });
  }

  /** Starts the server from an image, with its controllers. */
  start(image: ClusterImage, parts: { readonly nodes: number; readonly operator: { name: string; groups: string[] } }) {
    this.scheduler.task = this.serverTask;
    const onCommit = (collection: string, event: StoreEvent): void => {
      this.committed(collection, event);
    };
    this.isFrozen = true;
    const server = image.start({ clock: this, onCommit, ...parts });
    this.isFrozen = false;
    this.simulated = server;
    return server;
  }

  get simulatedServer(): SimulatedServer {
    if (!this.simulated) throw new Error('the server of the world is not started');
    return this.simulated;
  }

  /** Milliseconds of virtual time since the start. */
  get at(): number {
    return this.scheduler.nowMs;
  }

  get task(): Task {
    return this.scheduler.task ?? this.serverTask;
  }

  now(): number {
    return this.startMs + this.scheduler.nowMs + this.skewMs;
  }

  monotonic(): number {
    return this.scheduler.nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    return delayMs === Infinity ? () => undefined : this.later('timer', delayMs, callback);
  }

  timer(delayMs: number, callback: () => void): () => void {
    return this.later(OWN_TIMER, delayMs, callback);
  }

  /** Returns when the next timer is due that the code of a process has started itself; 0 without one. */
  ownTimerMs(owner: Owner, withinMs: number): number {
    let earliest = Infinity;
    for (const { task, dueMs } of this.scheduler.waiting())
      if (task.owner === owner && task.label.startsWith(OWN_TIMER)) earliest = Math.min(earliest, dueMs);
    return earliest <= this.at + withinMs ? earliest : 0;
  }

  private later(kind: string, delayMs: number, callback: () => void): () => void {
    const { owner, request, controller } = this.task;
    if (owner.isDead) return () => undefined;
    const name = controller ?? owner.name;
    const task = { owner, label: `${kind} of ${name}`, request, controller };
    const step = this.scheduler.add(`timers of ${name}`, task, delayMs, callback, false);
    return () => {
      step.isCanceled = true;
    };
  }

  turn(callback: () => void, worker: string): () => void {
    const { owner, request, controller } = this.task;
    if (owner.isDead) return () => undefined;
    const isController = worker !== '' && owner === this.server;
    const name = worker === '' ? (controller ?? owner.name) : worker;
    const task = isController
      ? { owner, label: name, controller: worker }
      : { owner, label: `turn of ${name}`, request, controller };
    const step = this.scheduler.add(`turns of ${owner.name} ${name}`, task, 0, callback);
    return () => {
      step.isCanceled = true;
    };
  }

  /** For `Math.random`. */
  randomNumber(): number {
    return this.random.next(`number ${this.task.label}`);
  }

  hex(bytes: number): string {
    return this.random.hex(`bytes ${this.task.label}`, bytes);
  }

  /** Returns the time that a message needs; one millisecond in the canonical schedule. */
  latency(label: string): number {
    const { schedule, divergence } = this.plan;
    const isDiverged = divergence !== undefined && this.scheduler.isDiverged;
    if (schedule === 'first' && !isDiverged) return 1;
    const value = this.random.next(`latency ${isDiverged ? `${divergence.seed} ` : ''}${label}`);
    if (value < 0.001) return Math.ceil((value / 0.001) * RARE_LATENCY_MS);
    return 1 + Math.floor(value * LATENCY_MS);
  }

  /** Adds to a text how often it was used. */
  numbered(text: string): string {
    const count = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, count);
    return `${text} #${count}`;
  }

  emit(event: WorldEvent): void {
    this.onEvent(event);
  }

  handle(message: MemoryMessage, response: MemoryResponse): Promise<void> {
    return this.simulatedServer.api.handle(message.asIncoming, response.asServerResponse);
  }

  refOf(info: RequestInfo, path: string): RequestRecord['object'] {
    const { apiVersion, group, plural, namespace, name } = info;
    if (!info.isResource) return { group: '', version: '', kind: path, plural: '' };
    const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
    const resource = this.simulatedServer.api.resources.find(apiVersion, plural);
    const kind = resource?.kind ?? plural;
    return { group, version, kind, plural, namespace, name: name === '' ? undefined : name };
  }

  /** Returns the resource and the object that a plan names; the object of the first kind that has it. */
  find(text: string): { readonly resource: Resource; readonly object: KubeObject } | undefined {
    const [kind = '', place = ''] = text.split(' ');
    const isPattern = place.endsWith('*');
    for (const resource of this.simulatedServer.api.resources.distinct()) {
      if (resource.kind !== kind) continue;
      const objects = this.simulatedServer.store.collection(resource.storage);
      const stored = isPattern ? [...objects.range(place.slice(0, -1))][0] : objects.objects.get(place);
      if (stored) return { resource, object: this.objectOf(resource, stored) };
    }
    return undefined;
  }

  /** Spells an object by its full name. */
  textOf({ kind, namespace, name = '' }: Pick<RequestRecord['object'], 'kind' | 'namespace' | 'name'>): string {
    return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  }

  placeOf({ kind = '', metadata: { namespace, name } }: KubeObject) {
    return { kind, namespace, name };
  }

  /** Returns the revision before the last changes of a kind; undefined if it has not changed. */
  revisionBefore({ apiVersion, plural }: RequestInfo, changes: number): number | undefined {
    const storage = this.simulatedServer.api.resources.find(apiVersion, plural)?.storage;
    const revisions = this.revisions.get(storage ?? '') ?? [];
    const changed = revisions.at(-changes) ?? revisions[0];
    return changed === undefined ? undefined : changed - 1;
  }

  objects(since: number): KubeObject[] {
    const found: KubeObject[] = [];
    for (const resource of this.simulatedServer.api.resources.distinct()) {
      const isCluster = SYSTEM.has(resource.group);
      for (const stored of this.simulatedServer.store.collection(resource.storage).range(''))
        if (!isCluster || stored.revision > since) found.push(this.objectOf(resource, stored));
    }
    return found;
  }

  snapshot(isQuiet: boolean, since: number): Snapshot {
    return { at: this.at, isQuiet, objects: this.objects(since) };
  }

  private committed(collection: string, event: StoreEvent): void {
    if (this.isFrozen) return;
    const { current, previous, type } = event;
    this.revisionsOf(collection).push(current.revision);
    const resource = this.resourceOf(collection);
    const sent = this.requestOf(this.task);
    const commit = this.recorder.commit({
      actor: sent?.actor ?? this.controller,
      verb: VERBS[type],
      object: refTo(collection, resource, current),
      uid: uidOf(current),
      before: previous && this.readable(resource, previous),
      after: type === 'DELETED' ? undefined : this.readable(resource, current),
      request: sent?.index,
    });
    if (!HEARTBEATS.has(collection)) this.changed(commit.actor);
    for (const exchange of this.exchanges) if (exchange.record === sent) exchange.commits.push(commit);
  }

  private changed({ type }: Actor): void {
    this.lastChangeMs = this.at;
    if (type === 'operator') this.ownChanges += 1;
  }

  private revisionsOf(collection: string): number[] {
    const known = this.revisions.get(collection) ?? [];
    this.revisions.set(collection, known);
    return known;
  }

  /** The built-in controller that works now, or the server itself. */
  private get controller(): Actor {
    return { type: 'controller', name: this.task.controller ?? 'kube-apiserver' };
  }

  /** The request that the server handles in a task; undefined for the work of a controller. */
  private requestOf({ request, controller }: Task): RequestRecord | undefined {
    return request === undefined || controller !== undefined ? undefined : this.recorder.requests[request];
  }

  private readable(resource: Resource | undefined, stored: StoredObject): KubeObject {
    return resource ? this.objectOf(resource, stored) : stored.object;
  }

  private readonly read = new WeakMap<StoredObject, KubeObject>();

  private objectOf(resource: Resource, stored: StoredObject): KubeObject {
    const known = this.read.get(stored);
    if (known) return known;
    const { apiVersion, kind } = resource;
    const object = { ...resource.codec.fromStorage(stored.object), apiVersion, kind } as unknown as KubeObject;
    this.read.set(stored, object);
    return object;
  }

  private resourceOf(collection: string): Resource | undefined {
    const known = this.byStorage.get(collection);
    if (known) return known;
    for (const resource of this.simulated?.api.resources.distinct() ?? [])
      this.byStorage.set(resource.storage, resource);
    return this.byStorage.get(collection);
  }
}

/** Groups of which a snapshot has only what changed in the run. */
const SYSTEM = new Set([
  'rbac.authorization.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'apiregistration.k8s.io',
  'scheduling.k8s.io',
]);

const VERBS = { ADDED: 'create', MODIFIED: 'update', DELETED: 'delete' } as const;

function refTo(collection: string, resource: Resource | undefined, { object }: StoredObject): ObjectRef {
  const { namespace, name } = object.metadata;
  if (!resource) return { group: '', version: 'v1', kind: collection, plural: collection, namespace, name };
  const { group, apiVersion, kind, plural } = resource;
  return { group, version: apiVersion.split('/').at(-1) ?? '', kind, plural, namespace, name };
}

function uidOf({ object }: StoredObject): string {
  return object.metadata.uid ?? '';
}
