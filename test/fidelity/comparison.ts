import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCall, ApiEndpoint, WatchEvent } from './api-endpoint.js';
import { differences, normalize } from './normalize.js';
import { collectionPath, NAMES, RandomCalls } from './random-calls.js';
import type { RandomKind } from './random-kind.js';
import { ComparisonReport } from './comparison-report.js';

const WATCH_WAIT_MS = 10_000;
const WATCH_POLL_MS = 50;

export interface RunOptions {
  readonly requests: number;
  readonly seed: number;
  /** How many kinds are worked on at a time. */
  readonly lanes: number;
}

/** Sends the same requests to the embedded server and to the real one. */
export class Comparison {
  constructor(
    private readonly embedded: ApiEndpoint,
    private readonly real: ApiEndpoint,
  ) {}

  /** Where the two replies to a request differ; empty when they are equal. */
  async differences(call: ApiCall): Promise<string[]> {
    const [ours, theirs] = await Promise.all([this.embedded.send(call), this.real.send(call)]);
    return differences(normalize(ours), normalize(theirs));
  }

  /** Random requests for each kind in turn, each kind with a seed of its own, and what its watches tell of them. */
  async run(kinds: readonly RandomKind[], { requests, seed, lanes }: RunOptions): Promise<ComparisonReport> {
    const report = new ComparisonReport();
    const each = Math.ceil(requests / kinds.length);
    const waiting = kinds.map((kind, index) => ({ kind, seed: seed * 1000 + index }));
    const lane = async (): Promise<void> => {
      for (let work = waiting.shift(); work; work = waiting.shift())
        await this.runKind(work.kind, work.seed, each, report);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return report;
  }

  /** Removes the objects of both servers, so that one difference does not show in all replies that follow. */
  private async startAfresh(path: string): Promise<void> {
    for (const name of NAMES) {
      const object = `${path}/${name}`;
      const body = { metadata: { finalizers: null } };
      await this.differences({ method: 'PATCH', path: object, contentType: 'application/merge-patch+json', body });
      await this.differences({ method: 'DELETE', path: object, body: { gracePeriodSeconds: 0 } });
      if (!path.endsWith('/namespaces')) continue;
      const finalized = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } };
      await this.differences({ method: 'PUT', path: `${object}/finalize`, body: finalized });
    }
  }

  private async runKind(kind: RandomKind, seed: number, requests: number, report: ComparisonReport): Promise<void> {
    const path = collectionPath(kind);
    const [ours, theirs]: [WatchEvent[], WatchEvent[]] = [[], []];
    const stops = [
      this.embedded.watch(path, (event) => ours.push(event)),
      this.real.watch(path, (event) => theirs.push(event)),
    ];
    const calls = new RandomCalls(kind, seed);
    for (let count = 0; count < requests; count++) {
      const call = calls.next();
      const found = await this.differences(call);
      report.add(kind.title, call, found);
      if (found.length > 0) await this.startAfresh(path);
    }
    for (let waited = 0; ours.length !== theirs.length && waited < WATCH_WAIT_MS; waited += WATCH_POLL_MS) {
      await delay(WATCH_POLL_MS);
    }
    for (const stop of stops) stop();
    report.addWatch(kind.title, differences(normalize(ours), normalize(theirs)), theirs.length);
  }
}
