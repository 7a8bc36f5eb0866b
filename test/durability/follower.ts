import { isDeepStrictEqual } from 'node:util';
import type { ApiEndpoint, WatchEvent } from '../fidelity/api-endpoint.js';
import { create, replaceVersion } from './change.js';
import type { Ledger } from './ledger.js';
import { isLoad, type LoadedKind, type StoredJson } from './loaded-kind.js';
import type { Chooser } from '../fidelity/chooser.js';

interface ListJson {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly StoredJson[];
}

/** Knows a kind's objects by listing once, and then by watching, across restarts of the server. */
export class Follower {
  /** The number of resumed watches, and of new lists. */
  readonly resumed = { watching: 0, listing: 0 };
  private objects = new Map<string, StoredJson>();
  private revision = 0;
  private stop: () => void = () => undefined;
  private onEvent: (event: WatchEvent) => void = () => undefined;

  constructor(
    private readonly kind: LoadedKind,
    private readonly ledger: Ledger,
    private readonly chooser: Chooser,
  ) {}

  /** Continues at the state before the server was killed. */
  async resume(endpoint: ApiEndpoint): Promise<void> {
    if (this.revision > 0 && (await this.goesOn(endpoint))) {
      this.resumed.watching += 1;
      return;
    }
    this.resumed.listing += 1;
    await this.list(endpoint);
    if (!(await this.goesOn(endpoint))) this.ledger.problems.push(`${this.kind.path}: a new list was too old`);
  }

  end(): void {
    this.stop();
  }

  /** True if the watch resumes at the last event; then it must deliver all later changes. */
  private async goesOn(endpoint: ApiEndpoint): Promise<boolean> {
    this.stop();
    const first = new Promise<'expired' | 'marked'>((resolve) => {
      this.onEvent = ({ type, object }) => {
        if (type === 'ERROR') resolve('expired');
        else if ((object as StoredJson).metadata.name === 'marker') resolve('marked');
      };
    });
    this.stop = endpoint.watch(
      this.kind.path,
      (event) => {
        this.take(event);
        this.onEvent(event);
      },
      { resourceVersion: String(this.revision) },
    );
    await this.mark(endpoint);
    if ((await first) === 'expired') return false;
    const { items } = await this.fetchList(endpoint);
    const listed = new Map(items.map((object) => [object.metadata.name, object]));
    if (!isDeepStrictEqual(this.objects, listed))
      this.ledger.problems.push(`${this.kind.path}: a watch that went on has left out a change`);
    return true;
  }

  /** A change that ends the events that the watch must deliver. */
  private async mark(endpoint: ApiEndpoint): Promise<void> {
    const { kind, ledger, chooser } = this;
    const key = `${kind.path}/marker`;
    const present = ledger.object(key);
    const change = present
      ? replaceVersion(kind, present, ledger.highest, chooser)
      : create(kind, 'marker', 1, chooser);
    const answer = ledger.begin(key, change);
    const { code, body } = await endpoint.send(change.call);
    if (code < 200 || code > 299) throw new Error(`${key}: ${code} ${JSON.stringify(body)}`);
    answer.acknowledged(body as StoredJson);
  }

  private take({ type, object: received }: WatchEvent): void {
    if (type === 'ERROR') {
      const { code } = received as { code?: number };
      if (code !== 410) this.ledger.problems.push(`${this.kind.path}: watch ended with ${JSON.stringify(received)}`);
      return;
    }
    const object = received as StoredJson;
    const { name, resourceVersion } = object.metadata;
    if (Number(resourceVersion) <= this.revision)
      this.ledger.problems.push(`${this.kind.path}/${name}: ${resourceVersion} came after ${this.revision}`);
    this.revision = Number(resourceVersion);
    if (!isLoad(object)) return;
    if (type === 'DELETED') this.objects.delete(name);
    else this.objects.set(name, object);
    this.ledger.observe(`${this.kind.path}/${name}`, object, type === 'DELETED');
  }

  private async list(endpoint: ApiEndpoint): Promise<void> {
    const { items, metadata } = await this.fetchList(endpoint);
    this.objects = new Map(items.map((object) => [object.metadata.name, object]));
    this.revision = Number(metadata.resourceVersion);
  }

  private async fetchList(endpoint: ApiEndpoint): Promise<ListJson> {
    const { items, metadata } = (await endpoint.send({ method: 'GET', path: this.kind.path })).body as ListJson;
    const { apiVersion, kind } = this.kind; // items of a list may go without
    return { metadata, items: items.filter(isLoad).map((item) => ({ ...item, apiVersion, kind })) };
  }
}
