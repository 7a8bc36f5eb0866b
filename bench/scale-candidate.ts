// A PodSet with many pods, and many controllers in one process; see README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Client, Controller, CustomResource, Kind, loadClusterConfig, Manager, type Run } from 'kindwright';
import type * as operator from '../operators/podset.ts';
import { eventually, startCluster } from 'kindwright/testing';

/** Compiled beside this file. */
const compiled: string = './podset.js';
const { PodSet } = (await import(compiled)) as typeof operator;

const [kubeconfig] = process.argv.slice(2);
const PODS = Number(process.env['PODS'] ?? 1000);
const CONTROLLERS = Number(process.env['CONTROLLERS'] ?? 500);
const ROUNDS = 100;
const LONG = { timeout: '60s' };

let reconciled = 0;
const kinds = Array.from({ length: CONTROLLERS }, (_, index) => {
  @Kind({ group: 'scale.example.com', version: 'v1', kind: `Scale${index}` })
  @Controller({ name: `scale${index}` })
  class Scale extends CustomResource {
    reconcile(): void {
      reconciled += 1;
    }
  }
  return Scale;
});

if (kubeconfig === undefined) {
  await measurePodSet();
  await measureControllers();
} else await runControllers(kubeconfig);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Each round changes a label of the PodSet and awaits the reconcile that it causes. */
async function measurePodSet(): Promise<void> {
  await using cluster = await startCluster();
  const durations: number[] = [];
  const ended = ({ end }: Run): void => void durations.push(end?.ms ?? Number.NaN);
  await cluster.install(PodSet);
  const stop = new AbortController();
  const run = new Manager({ client: cluster.client, observer: { ended } }).add(PodSet).run(stop.signal);
  const namespace = 'default';
  await cluster.create(PodSet, { metadata: { name: 'large', namespace }, spec: { size: PODS } });
  await eventually(async () => {
    const { status } = await cluster.client.get(PodSet, 'large', { namespace });
    if (status?.nodes.length !== PODS) throw new Error(`${status?.nodes.length} pods`);
  }, LONG);
  durations.length = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const before = durations.length;
    await cluster.client.patch(PodSet, 'large', { metadata: { labels: { round: String(round) } } }, { namespace });
    await eventually(() => {
      if (durations.length === before) throw new Error('not reconciled');
    }, LONG);
  }
  const [least, most] = [Math.min(...durations), Math.max(...durations)];
  const range = `least ${least.toFixed(2)}, most ${most.toFixed(2)}`;
  stop.abort();
  await run;
  console.log(`reconcile of a PodSet with ${PODS} pods: ${median(durations).toFixed(2)} ms (${range})`);
}

/** The controllers run in a process of their own, beside the server. */
async function measureControllers(): Promise<void> {
  await using cluster = await startCluster();
  await cluster.install(...kinds);
  for (const kind of kinds) await cluster.create(kind, { metadata: { name: 'one', namespace: 'default' } });
  const child = fork(import.meta.filename, [cluster.kubeconfig], { execArgv: ['--max-semi-space-size=8'] });
  const [{ ms, rss }] = (await once(child, 'message')) as [{ ms: number; rss: number }];
  console.log(`${CONTROLLERS} controllers: each has reconciled its object after ${ms} ms, ${rss} MB`);
  child.kill();
}

async function runControllers(path: string): Promise<void> {
  const start = performance.now();
  const manager = new Manager({ client: new Client(await loadClusterConfig({ kubeconfig: path })) });
  for (const kind of kinds) manager.add(kind);
  const run = manager.run(new AbortController().signal);
  await eventually(() => {
    if (reconciled < kinds.length) throw new Error(`${reconciled} reconciles`);
  }, LONG);
  const ms = Math.round(performance.now() - start);
  process.send?.({ ms, rss: Math.round(process.memoryUsage.rss() / 2 ** 20) });
  await run;
}
