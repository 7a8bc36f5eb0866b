import { expect } from '@jest/globals';
import { inspect } from 'node:util';
import type { KubeObject, ReadonlyDeep } from '../../src/api/objects/kube-object.js';
import type { ObjectEvent } from '../../src/api/events/object-event.js';
import type { ListedObjects } from '../../src/cache/listed-objects.js';
import { isNewer } from '../../src/cache/resource-version.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore, type ChangeType } from '../../src/cache/versioned-store.js';
import { mapOf, Replay, widget } from './objects.js';

interface LogEntry {
  readonly version: number;
  readonly type: ChangeType;
  readonly object: KubeObject;
}

/** A server: the history of one kind, and its final objects. */
class ServerModel {
  version = 1;
  objects = new Map<string, KubeObject>();
  readonly names = new Set<string>();
  log: LogEntry[] = [];
  private uids = 0;

  /** Creates or updates; returns the answer. */
  write(name: string): KubeObject {
    this.names.add(name);
    const old = this.objects.get(`ns/${name}`);
    const uid = old?.metadata.uid ?? `uid-${++this.uids}`;
    const object = widget(name, ++this.version, { uid });
    this.objects.set(`ns/${name}`, object);
    this.log.push({ version: this.version, type: old ? 'MODIFIED' : 'ADDED', object });
    return object;
  }

  /** Returns the object that it deleted. */
  delete(name: string): KubeObject | undefined {
    const old = this.objects.get(`ns/${name}`);
    if (!old) return undefined;
    this.objects.delete(`ns/${name}`);
    const object = widget(name, ++this.version, { uid: old.metadata.uid! });
    this.log.push({ version: this.version, type: 'DELETED', object });
    return old;
  }

  /** Writes of other kinds. */
  idle(): void {
    this.version += 1;
  }

  /** Etcd is restored from a backup of `back` changes ago. */
  restore(back: number): void {
    this.log = this.log.slice(0, Math.max(0, this.log.length - back));
    this.version = this.log.at(-1)?.version ?? 1;
    this.objects = new Map();
    for (const { type, object } of this.log) {
      if (type === 'DELETED') this.objects.delete(`ns/${object.metadata.name}`);
      else this.objects.set(`ns/${object.metadata.name}`, object);
    }
  }

  snapshot(): { objects: Map<string, KubeObject>; version: string } {
    return { objects: mapOf(...this.objects.values()), version: String(this.version) };
  }
}

function textOf({ metadata }: ReadonlyDeep<KubeObject>): string {
  return `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`;
}

/** Cheaper than `toEqual`, which takes most of the time of an exploration. */
export function assertSame(
  actual: ReadonlyMap<string, ReadonlyDeep<KubeObject>>,
  expected: ReadonlyMap<string, ReadonlyDeep<KubeObject>>,
): void {
  const [a, b] = [actual, expected].map((objects) => [...objects].map(([key, object]) => `${key}: ${textOf(object)}`));
  if (a!.sort().join() !== b!.sort().join()) expect(actual).toEqual(expected);
}

export type Step =
  | { readonly do: 'write' | 'write and delay the answer' | 'delete' | 'delete and observe'; readonly name: string }
  | { readonly do: 'idle' | 'bookmark' | 'observe' | 'ask for a list' | 'read the list' | 'answer the list' }
  | { readonly do: 'deliver' | 'replay' | 'restore'; readonly count: number };

/** A store that follows the server as a reflector would let it. */
export class Follower {
  readonly server = new ServerModel();
  readonly store = new Store();
  readonly replay = new Replay();
  readonly versions: VersionedStore;
  private answers: KubeObject[] = [];
  private list: { readonly listed: ListedObjects; readonly version?: string } | undefined;
  private mayGoBack = false;

  constructor() {
    this.versions = new VersionedStore(this.store, {
      changed: (events) => {
        for (const event of events) this.check(event);
      },
      replaced: () => undefined,
    });
    this.relist();
  }

  run(step: Step): void {
    switch (step.do) {
      case 'write':
        this.versions.observe(this.server.write(step.name));
        break;
      case 'write and delay the answer':
        this.answers.push(this.server.write(step.name));
        break;
      case 'delete':
        this.server.delete(step.name);
        break;
      case 'delete and observe':
        this.deleteAndObserve(step.name);
        break;
      case 'deliver':
        this.deliver(this.versions.resourceVersion, step.count);
        break;
      case 'replay':
        this.deliver('0', step.count);
        break;
      case 'restore':
        this.restore(step.count);
        break;
      default:
        this.runPlain(step.do);
    }
    assertSame(this.replay.objects, new Map(this.store.entries()));
  }

  /** The steps by which something that is under way arrives. */
  pending(mayList: boolean): Step['do'][] {
    return [
      ...(this.answers.length > 0 ? ['observe' as const] : []),
      ...(mayList ? ['ask for a list' as const] : []),
      ...(this.list && this.list.version === undefined ? ['read the list' as const] : []),
      ...(this.list?.version !== undefined ? ['answer the list' as const] : []),
      ...(!this.list && this.isBehind ? ['deliver' as const] : []),
    ];
  }

  /** All that the further steps depend on. */
  state(): string {
    const { server, store, versions, answers, list } = this;
    const log = server.log.map(({ type, object }) => `${type} ${textOf(object)}`);
    const hidden = ['hasList', 'listsBegun', 'unconfirmed', 'deletions'].map(
      (name) => Reflect.get(versions, name) as unknown,
    );
    const objects = [...store.values()].map(textOf).sort();
    const known = [versions.resourceVersion, versions.relistedVersion, log, objects, answers.map(textOf)];
    const listed = list && [list.version, Reflect.get(list.listed, 'touched')];
    return inspect([known, listed, hidden], {
      depth: 5,
      compact: true,
      breakLength: Infinity,
    });
  }

  /** Lets everything that is under way arrive. */
  settle(): void {
    while (this.answers.length > 0) this.run({ do: 'observe' });
    for (const step of ['read the list', 'answer the list'] as const) this.run({ do: step });
    this.run({ do: 'deliver', count: Infinity });
  }

  private runPlain(step: Exclude<Step, { count: number } | { name: string }>['do']): void {
    if (step === 'idle') this.server.idle();
    else if (step === 'observe') this.observeOne();
    else if (step === 'ask for a list') this.askForList();
    else if (step === 'read the list') this.readList();
    else if (step === 'answer the list') this.answerList();
    else if (!this.list && !this.isBehind) this.versions.bookmark(String(this.server.version));
  }

  private get isBehind(): boolean {
    return (this.server.log.at(-1)?.version ?? 0) > Number(this.versions.resourceVersion);
  }

  private deliver(after: string, count: number): void {
    if (this.list) return; // no stream while a list is under way
    const missing = this.server.log.filter(({ version }) => isNewer(String(version), after));
    for (const { type, object } of missing.slice(0, count)) this.versions.apply(type, object);
  }

  private deleteAndObserve(name: string): void {
    const deleted = this.server.delete(name);
    if (!deleted) return;
    this.versions.observeDeletion(deleted);
    expect(this.store.get(`ns/${name}`)?.metadata.uid).not.toBe(deleted.metadata.uid);
  }

  private observeOne(): void {
    const answer = this.answers.shift();
    if (answer) this.versions.observe(answer);
  }

  private askForList(): void {
    this.list = { listed: this.versions.beginReplace(this.mayGoBack) }; // gives up on one under way
  }

  private readList(): void {
    if (!this.list || this.list.version !== undefined) return;
    const { objects, version } = this.server.snapshot();
    for (const object of objects.values()) this.list.listed.add(object);
    this.list = { listed: this.list.listed, version };
  }

  private answerList(): void {
    const { listed, version } = this.list ?? {};
    if (!listed || version === undefined) return;
    this.list = undefined;
    this.versions.replace(listed, version);
  }

  private restore(count: number): void {
    this.server.restore(count);
    this.answers = []; // a lost write has no response
    this.list = undefined;
    this.mayGoBack = true;
    this.relist();
    this.mayGoBack = false;
  }

  private relist(): void {
    this.askForList();
    this.readList();
    this.answerList();
  }

  private check(event: ObjectEvent): void {
    if (event.type === 'update' && !this.mayGoBack) {
      const [before, after] = [event.old.metadata.resourceVersion!, event.object.metadata.resourceVersion!];
      if (!isNewer(after, before)) throw new Error(`an object went from ${before} to ${after}`);
    }
    this.replay.handle(event);
  }
}
