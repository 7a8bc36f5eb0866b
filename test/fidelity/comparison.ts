import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCall, ApiEndpoint, ApiReply } from './api-endpoint.js';
import { Chooser } from './chooser.js';
import { ComparisonReport } from './comparison-report.js';
import { MUTATED_NAMES } from './mutation.js';
import { differences, normalize } from './normalize.js';
import { collectionPath, NAMES, RandomCalls } from './random-calls.js';
import type { RandomKind } from './random-kind.js';
import { WatchPair } from './watch-pair.js';

/** After so many requests the objects are watched by another stream. */
const WATCHED_REQUESTS = 100;

const CACHE_ATTEMPTS = 5;
const CACHE_WAIT_MS = 100;

function isEqual(replies: readonly [ApiReply, ApiReply]): boolean {
  const [ours, real] = replies.map(normalize);
  return differences(ours, real).length === 0;
}

export interface RunOptions {
  readonly requests: number;
  readonly seed: number;
  /** How many kinds are worked on at a time. */
  readonly lanes: number;
}

interface Work {
  readonly kind: RandomKind;
  readonly calls: RandomCalls;
  readonly choose: Chooser;
}

/** Sends the same requests to the embedded server and to the real one. */
export class Comparison {
  readonly report = new ComparisonReport();

  constructor(
    private readonly embedded: ApiEndpoint,
    private readonly real: ApiEndpoint,
  ) {}

  /** Whether the two replies to a request are equal; the report takes note. */
  async compare(title: string, call: ApiCall): Promise<{ isEqual: boolean; replies: readonly [ApiReply, ApiReply] }> {
    const replies = await this.sendSettled(call);
    const [ours, real] = replies.map(normalize) as [ApiReply, ApiReply];
    const found = differences(ours, real);
    this.report.add({ title, call, ours, real, found });
    return { isEqual: found.length === 0, replies };
  }

  /** Random requests for each kind in turn, each kind with a seed of its own, and the events of watches. */
  async run(kinds: readonly RandomKind[], { requests, seed, lanes }: RunOptions): Promise<void> {
    const each = Math.ceil(requests / kinds.length);
    const waiting = kinds.map((kind, index) => ({ kind, seed: seed * 1000 + index }));
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const work = { kind: next.kind, calls: new RandomCalls(next.kind, next.seed), choose: new Chooser(next.seed) };
        for (let sent = 0; sent < each;) sent += await this.runWatched(work, Math.min(WATCHED_REQUESTS, each - sent));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /**
   * A list of any version comes from the real server's watch cache, which may be outdated; then the list is requested
   * again.
   */
  private async sendSettled(call: ApiCall): Promise<[ApiReply, ApiReply]> {
    for (let asked = 1; ; asked++) {
      const replies = await this.send(call);
      const isCached = call.method === 'GET' && call.path.endsWith('resourceVersion=0');
      if (!isCached || asked === CACHE_ATTEMPTS || isEqual(replies)) return replies;
      await delay(CACHE_WAIT_MS);
    }
  }

  private send(call: ApiCall): Promise<[ApiReply, ApiReply]> {
    return Promise.all([this.embedded.send(call), this.real.send(call)]);
  }

  /** Sends requests under one watch, until the servers differ at the latest; returns how many it were. */
  private async runWatched({ kind, calls, choose }: Work, requests: number): Promise<number> {
    const path = collectionPath(kind);
    const watch = await WatchPair.open([this.embedded, this.real], path, choose);
    let sent = 0;
    let isEqual = true;
    while (isEqual && sent < requests) {
      const compared = await this.compare(kind.title, calls.next());
      isEqual = compared.isEqual;
      if (isEqual) watch.agreed(compared.replies);
      else watch.disagreed();
      sent++;
    }
    const { count, ...compared } = await watch.end();
    this.report.addWatch({ title: kind.title, path: watch.path, ...compared }, count);
    if (!isEqual && kind.isTried !== true) await this.startAfresh(path);
    return sent;
  }

  /** Removes the objects of both servers, so that one difference does not show in all replies that follow. */
  private async startAfresh(path: string): Promise<void> {
    for (const name of [...NAMES, ...MUTATED_NAMES]) {
      const object = `${path}/${name}`;
      const body = { metadata: { finalizers: null } };
      await this.send({ method: 'PATCH', path: object, contentType: 'application/merge-patch+json', body });
      await this.send({ method: 'DELETE', path: object, body: { gracePeriodSeconds: 0 } });
      if (!path.endsWith('/namespaces')) continue;
      const finalized = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } };
      await this.send({ method: 'PUT', path: `${object}/finalize`, body: finalized });
    }
  }
}
