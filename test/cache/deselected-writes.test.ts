import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { ListedObjects } from '../../src/cache/listed-objects.js';
import { Store } from '../../src/cache/store.js';
import { VersionedStore, type ChangeType } from '../../src/cache/versioned-store.js';
import { mapOf, Replay, widget } from './objects.js';
import { replaceBy } from './versioned-store-setup.js';

const isSelected = ({ metadata }: KubeObject): boolean => metadata.labels?.['app'] === 'x';

/** A server that sends the events of a watch with the selector `app=x`. */
class SelectingServer {
  version = 1;
  readonly objects = new Map<string, KubeObject>();
  readonly events: { readonly version: number; readonly type: ChangeType; readonly object: KubeObject }[] = [];

  write(name: string, app: string): KubeObject {
    const old = this.objects.get(name);
    const object = widget(name, ++this.version, { labels: { app } });
    this.objects.set(name, object);
    const was = old !== undefined && isSelected(old);
    if (isSelected(object)) this.send(was ? 'MODIFIED' : 'ADDED', object);
    else if (was)
      this.send('DELETED', { ...old, metadata: { ...old.metadata, resourceVersion: String(this.version) } });
    return object;
  }

  delete(name: string): void {
    const old = this.objects.get(name);
    if (!old) return;
    this.version += 1;
    this.objects.delete(name);
    const deleted = { ...old, metadata: { ...old.metadata, resourceVersion: String(this.version) } };
    if (isSelected(old)) this.send('DELETED', deleted);
  }

  get selected(): Map<string, KubeObject> {
    return mapOf(...[...this.objects.values()].filter(isSelected));
  }

  private send(type: ChangeType, object: KubeObject): void {
    this.events.push({ version: this.version, type, object });
  }
}

type Step =
  | { readonly do: 'own write' | 'own write with a late response' | 'other write'; readonly name: string; app: string }
  | { readonly do: 'delete'; readonly name: string }
  | {
      readonly do: 'receive a response' | 'request a list' | 'receive an object of the list' | 'receive the list';
    }
  | { readonly do: 'bookmark' }
  | { readonly do: 'deliver'; readonly count: number };

class Follower {
  readonly server = new SelectingServer();
  readonly store = new Store();
  private readonly replay = new Replay();
  private readonly versions = new VersionedStore(this.store, {
    changed: (events) => {
      for (const event of events) this.replay.handle(event);
    },
    replaced: () => undefined,
  });
  private readonly responses: KubeObject[] = [];
  private list: { listed: ListedObjects; rest: KubeObject[]; version: string } | undefined;
  /** Objects that an own write took out of the selection, until anyone writes them again. */
  private readonly departed = new Set<string>();

  constructor() {
    replaceBy(this.versions, [], '1');
  }

  run(step: Step): void {
    if ('app' in step) this.write(step.do, step.name, step.app);
    else if ('name' in step) this.server.delete(step.name);
    else if ('count' in step) this.deliver(step.count);
    else this.receive(step.do);
    for (const name of this.departed) expect(this.store.get(`ns/${name}`)).toBeUndefined();
    expect(this.replay.objects).toEqual(new Map(this.store.entries()));
  }

  private write(kind: Step['do'], name: string, app: string): void {
    this.departed.delete(name);
    const written = this.server.write(name, app);
    if (kind === 'own write with a late response') this.responses.push(written);
    if (kind !== 'own write') return;
    this.observe(written);
    if (isSelected(written)) expect(this.store.get(`ns/${name}`)).toEqual(written);
    else this.departed.add(name);
  }

  private receiveListed(count: number): void {
    for (const object of this.list?.rest.splice(0, count) ?? []) this.list?.listed.add(object);
  }

  private receive(what: Step['do']): void {
    if (what === 'receive a response') this.observe(this.responses.shift());
    if (what === 'request a list') {
      const listed = this.versions.beginReplace();
      this.list = { listed, rest: [...this.server.selected.values()], version: String(this.server.version) };
    }
    if (what === 'receive an object of the list') this.receiveListed(1);
    if (what === 'receive the list') {
      this.receiveListed(Infinity);
      if (this.list) this.versions.replace(this.list.listed, this.list.version);
      this.list = undefined;
    }
    if (what === 'bookmark') {
      this.deliver(Infinity);
      if (!this.list) this.versions.bookmark(String(this.server.version));
    }
  }

  private observe(response: KubeObject | undefined): void {
    if (!response) return;
    if (isSelected(response)) this.versions.observe(response);
    else this.versions.observeDeselected(response);
  }

  /** The watch does not run between the request of a list and its response. */
  private deliver(count: number): void {
    if (this.list) return;
    const from = Number(this.versions.resourceVersion);
    for (const { type, object } of this.server.events.filter(({ version }) => version > from).slice(0, count)) {
      this.versions.apply(type, object);
    }
  }
}

const name = fc.constantFrom('a', 'b');
const app = fc.constantFrom('x', 'y');
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('own write' as const), name, app }),
  fc.record({ do: fc.constant('own write with a late response' as const), name, app }),
  fc.record({ do: fc.constant('other write' as const), name, app }),
  fc.record({ do: fc.constant('delete' as const), name }),
  fc.record({
    do: fc.constantFrom(
      'receive a response' as const,
      'request a list' as const,
      'receive an object of the list' as const,
      'receive the list' as const,
      'bookmark' as const,
    ),
  }),
  fc.record({ do: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 3 }) }),
);

test('own writes under a selector are read immediately, never undone by late events, and end as on the server', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (script) => {
      const follower = new Follower();
      for (const step of script) follower.run(step);
      follower.run({ do: 'receive the list' });
      follower.run({ do: 'receive a response' });
      follower.run({ do: 'bookmark' });
      follower.run({ do: 'request a list' });
      follower.run({ do: 'receive the list' });
      expect(new Map(follower.store.entries())).toEqual(follower.server.selected);
    }),
    { numRuns: 1000 },
  );
});
