// The longest time that the event loop is blocked while caches fill and a mapper names many objects; see README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  Client,
  Controller,
  InformerFactory,
  Manager,
  ObjectController,
  Pod,
  Watches,
  type ObjectEvent,
} from 'kindwright';

/** The CPU time of the main thread in each turn of the event loop, so that other processes do not count. */
class LoopTurns {
  private last = process.threadCpuUsage();
  private readonly turns: number[] = [];
  private isStopped = false;

  constructor() {
    this.turn();
  }

  /** The longest turns since the last call, in ms. */
  take(): string {
    const longest = this.turns
      .splice(0)
      .sort((a, b) => b - a)
      .slice(0, 5);
    return `${longest.map((ms) => ms.toFixed(1)).join(', ')} ms`;
  }

  stop(): void {
    this.isStopped = true;
  }

  private turn(): void {
    if (this.isStopped) return;
    const now = process.threadCpuUsage();
    this.turns.push((now.user + now.system - this.last.user - this.last.system) / 1000);
    this.last = now;
    setImmediate(() => this.turn());
  }
}

const PODS = 50_000;

/** Starts a controller of all Pods, which are cached already, with a mapper that names each of them once. */
async function measureMapper(): Promise<void> {
  let reconciles = 0;
  class PodController extends ObjectController<Pod> {
    reconcile(): void {
      reconciles += 1;
    }
  }
  Controller({ for: Pod })(PodController);
  const named = factory
    .lister(Pod)
    .list()
    .map(({ metadata: { name, namespace } }) => ({ name, namespace }));
  // Events of one Pod are enough.
  const isFirst = ({ object }: ObjectEvent): boolean => object.metadata.name === 'web-000000000000';
  Watches(Pod, () => named, { predicate: isFirst })(PodController);
  const ending = new AbortController();
  const manager = new Manager({ client, informers: factory }).add(PodController);
  await new Promise((resolve) => setTimeout(resolve, 100));
  turns.take();
  const ended = manager.run(ending.signal);
  while (reconciles < PODS) await new Promise((resolve) => setTimeout(resolve, 500));
  console.log(`controller with a mapper that names all Pods, ${reconciles} reconciles: longest turns ${turns.take()}`);
  ending.abort();
  await ended;
}

const server = fork(new URL('cache-memory.ts', import.meta.url), ['server']);
const [url] = (await once(server, 'message')) as [string];
const client = new Client({ server: new URL(url), namespace: undefined, source: 'bench', user: 'bench' });
const factory = new InformerFactory(client);
const byOwner = new Set<string>();
/** As expensive as a mapper that looks at a few fields. */
for (const informer of factory.informersFor(Pod))
  informer.addEventHandler(({ object: { metadata } }) => {
    for (const { name } of metadata.ownerReferences ?? []) byOwner.add(`${metadata.namespace ?? ''}/${name}`);
  });
const turns = new LoopTurns();
factory.start();
await factory.synced();
await new Promise((resolve) => setTimeout(resolve, 200));
console.log(`sync of ${factory.lister(Pod).size} Pods: longest turns ${turns.take()}`);
for (const informer of factory.informersFor(Pod)) informer.relist();
const isRelisted = (): boolean => factory.informersFor(Pod).every(({ relistedVersion }) => relistedVersion !== '');
while (!isRelisted()) await new Promise((resolve) => setTimeout(resolve, 500));
console.log(`relist: longest turns ${turns.take()}`);
await measureMapper();
await factory.stop();
turns.stop();
server.kill();
process.exit(0);
