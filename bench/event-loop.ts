// The longest time that the event loop is blocked by lists, storms, indexes and mappers; see README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Controller, InformerFactory, Manager, ObjectController, Pod, Watches, type Context } from 'kindwright';
import type { ServerReport, ServerRequest } from './event-loop/server.ts';

/** The number of turns to print. */
const LONGEST = 5;

/** The CPU time of the main thread in each turn of the event loop, so that other processes do not count. */
class LoopTurns {
  private last = process.threadCpuUsage();
  /** In descending order. */
  private longest: number[] = [];
  private isStopped = false;

  constructor() {
    this.turn();
  }

  /** The longest turns since the last call, in ms. */
  take(): string {
    const text = `${this.longest.map((ms) => ms.toFixed(1)).join(', ')} ms`;
    this.longest = [];
    return text;
  }

  stop(): void {
    this.isStopped = true;
  }

  private turn(): void {
    if (this.isStopped) return;
    const now = process.threadCpuUsage();
    const ms = (now.user + now.system - this.last.user - this.last.system) / 1000;
    this.last = now;
    if (ms > (this.longest[LONGEST - 1] ?? 0))
      this.longest = [...this.longest, ms].sort((a, b) => b - a).slice(0, LONGEST);
    setImmediate(() => this.turn());
  }
}

const PODS = Number(process.env['PODS'] ?? 100_000);
const NAMED = Math.min(PODS, 50_000);
const FIRST = 'web-000000000000';

let events = 0;
let reconciles = 0;
let mapsAll = false;
let readsByField = false;
let named: readonly { readonly name: string; readonly namespace?: string | undefined }[] = [];

class PodController extends ObjectController<Pod> {
  async reconcile(ctx: Context): Promise<void> {
    reconciles += 1;
    if (!readsByField || this.object.metadata.name !== FIRST) return;
    readsByField = false;
    await ctx.list(Pod, { where: { 'spec.nodeName': 'node-1' }, namespace: '' });
    await ctx.list(Pod, { labels: { tier: 'tier-1', app: 'web' }, namespace: '' });
  }
}
Controller({ for: Pod, predicate: () => true })(PodController);
Watches(Pod, ({ metadata }) => (mapsAll && metadata.name === FIRST ? named : []))(PodController);

const server = fork(new URL('event-loop/server.ts', import.meta.url), [String(PODS)]);
const [url] = (await once(server, 'message')) as [string];
const client = new Client({ server: new URL(url), namespace: 'default', source: 'bench', user: 'bench' });
const factory = new InformerFactory(client, { freeze: false }); // as in production
const [informer] = factory.informersFor(Pod);
if (!informer) throw new Error('no informer');
informer.addEventHandler(() => {
  events += 1;
});
const probes = createServer(); // reserves a port
probes.listen(0, '127.0.0.1');
await once(probes, 'listening');
const { port } = probes.address() as AddressInfo;
probes.close();
await once(probes, 'close');

const turns = new LoopTurns();
const ending = new AbortController();
const manager = new Manager({
  client,
  informers: factory,
  leaderElection: true,
  preflight: false,
  healthProbeBindAddress: `127.0.0.1:${port}`,
  watchAuditInterval: 0,
  detectHotLoops: false,
  strict: false,
}).add(PodController);
const ended = manager.run(ending.signal);
const send = (request: ServerRequest): void => {
  server.send(request);
};
await sleep(500);
send({ do: 'probe', url: `http://127.0.0.1:${port}/healthz` });

/** Waits until nothing happens any more, and prints the longest turns since the last scenario. */
async function settled(scenario: string, isDone: () => boolean): Promise<void> {
  let last = -1;
  while (!isDone() || events + reconciles !== last) {
    last = events + reconciles;
    await sleep(1000);
  }
  send({ do: 'report' });
  const [{ probeMs, renewalDelayMs }] = (await once(server, 'message')) as [ServerReport];
  const latencies = `probe at most ${probeMs.toFixed(0)} ms, renewal late by ${renewalDelayMs.toFixed(0)} ms`;
  console.log(`${scenario}: longest turns ${turns.take()}; ${latencies}`);
  events = 0;
  reconciles = 0;
}

await settled(`sync of ${PODS} Pods and their reconciles`, () => reconciles >= PODS);
let { relistedVersion } = informer;
const isRelisted = (): boolean => informer.relistedVersion !== relistedVersion;
informer.relist();
await settled('relist without changes', isRelisted);
readsByField = true;
send({ do: 'touch' });
await settled('first build of three indexes by ctx.list', () => !readsByField);
mapsAll = true;
named = factory
  .lister(Pod)
  .list()
  .slice(0, NAMED)
  .map(({ metadata: { name, namespace } }) => ({ name, namespace }));
await sleep(100); // the turn of this list is not part of the scenario
turns.take();
send({ do: 'touch' });
await settled(`mapper that names ${NAMED} Pods`, () => reconciles >= NAMED);
mapsAll = false;
send({ do: 'storm' });
await settled(`storm of ${PODS} events and their reconciles`, () => events >= PODS);
({ relistedVersion } = informer);
send({ do: 'replace', isPaged: false });
informer.relist();
await settled('relist that replaces all Pods', isRelisted);
({ relistedVersion } = informer);
send({ do: 'replace', isPaged: true });
informer.relist();
await settled('relist in pages that replaces all Pods', isRelisted);
ending.abort();
await ended;
turns.stop();
server.kill();
process.exit(0);
