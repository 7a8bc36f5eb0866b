import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/kube-object.js';
import type { ObjectEvent } from '../../src/api/object-event.js';
import { isNewer } from '../../src/cache/resource-version.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore, type ChangeType } from '../../src/cache/versioned-store.js';
import { mapOf, Replay, widget } from './objects.js';

interface LogEntry {
  readonly version: number;
  readonly type: ChangeType;
  readonly object: KubeObject;
}

/** A server: the history of one kind, and what it comes to. */
class ServerModel {
  version = 1;
  objects = new Map<string, KubeObject>();
  log: LogEntry[] = [];
  private uids = 0;

  /** Creates or updates; returns the answer. */
  write(name: string): KubeObject {
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

type Step =
  | { readonly do: 'write' | 'write and delay the answer' | 'delete' | 'delete and observe'; readonly name: string }
  | { readonly do: 'idle' | 'bookmark' | 'observe' | 'ask for a list' | 'read the list' | 'answer the list' }
  | { readonly do: 'deliver' | 'replay' | 'restore'; readonly count: number };

/** A store that follows the server as a reflector would let it. */
class Follower {
  readonly server = new ServerModel();
  readonly store = new Store();
  readonly replay = new Replay();
  readonly versions: VersionedStore;
  private answers: KubeObject[] = [];
  private list: { snapshot?: ReturnType<ServerModel['snapshot']> } | undefined;
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
    expect(this.replay.objects).toEqual(new Map(this.store.entries()));
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
    this.list = {}; // gives up on one under way
    this.versions.beginReplace();
  }

  private readList(): void {
    if (this.list) this.list = { snapshot: this.server.snapshot() };
  }

  private answerList(): void {
    const snapshot = this.list?.snapshot;
    if (!snapshot) return;
    this.list = undefined;
    this.versions.replace(snapshot.objects, snapshot.version);
  }

  private restore(count: number): void {
    this.server.restore(count);
    this.answers = []; // nobody answers for a lost write
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

const name = fc.constantFrom('a', 'b', 'c');
const plain = ['idle', 'bookmark', 'observe', 'ask for a list', 'read the list', 'answer the list'] as const;
const steps: fc.Arbitrary<Step>[] = [
  fc.record({ do: fc.constantFrom('write', 'write and delay the answer', 'delete', 'delete and observe'), name }),
  fc.record({ do: fc.constantFrom('deliver', 'replay'), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constantFrom(...plain) }),
];
const restore: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restore'), count: fc.integer({ min: 1, max: 5 }) });

describe('VersionedStore against a model of the server', () => {
  test.each([
    ['whatever the order of writes, events, replays and lists', steps],
    ['even when etcd is restored in between', [...steps, restore]],
  ])('comes to what the server has, in steps that replay to it, %s', (_, possible) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...possible), { maxLength: 60 }), (chosen) => {
        const follower = new Follower();
        for (const step of chosen) follower.run(step);
        follower.settle();
        expect(new Map(follower.store.entries())).toEqual(follower.server.objects);
      }),
      { numRuns: 1000 },
    );
  });
});
