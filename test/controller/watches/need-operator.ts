import {
  ConfigMap,
  type Context,
  CustomResource,
  Daemon,
  Field,
  InformerFactory,
  Kind,
  Manager,
  type ManagerOptions,
  Owns,
  Secret,
} from 'kindwright';
import { type Cluster, eventually, startCluster } from 'kindwright/testing';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { WatchCounter } from './watch-counter.js';

class NeedSpec {
  /** The names of the Secrets that the object needs; `*` selects all of the namespace. */
  @Field({ items: String }) secrets!: string[];
  @Field({ optional: true }) fails?: boolean;
}

/** An operator with objects that need Secrets, and a record of its reconciles. */
export class NeedOperator {
  static current: NeedOperator;
  /** What reconciles have read, as `<object>: <labels of the secrets>`. */
  readonly seen: string[] = [];
  /** What calls of a context have thrown. */
  readonly errors: unknown[] = [];
  readonly logger = new RecordingLogger();
  readonly counter: WatchCounter;
  /** Called in each reconcile after the declarations. */
  inReconcile: (ctx: Context, name: string) => Promise<void> = () => Promise.resolve();
  private readonly stopping = new AbortController();
  private ended = Promise.resolve();

  constructor(
    private readonly cluster: Cluster,
    readonly namespace: string,
    reader: ListWatcher = cluster.client,
  ) {
    NeedOperator.current = this;
    this.counter = new WatchCounter(reader);
  }

  static async startCluster(): Promise<Cluster> {
    const cluster = await startCluster();
    await cluster.install(Need);
    return cluster;
  }

  async run(options: Partial<ManagerOptions> = {}): Promise<Manager> {
    const { cluster, namespace, logger } = this;
    const informers = new InformerFactory(this.counter, { namespaces: [namespace], logger });
    const manager = new Manager({ client: cluster.client, informers, logger, ...options }).add(Need);
    this.ended = manager.run(this.stopping.signal);
    await eventually(() => expectThat(logger.messages().includes('Started workers')));
    return manager;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('stopped by the test'));
    await this.ended;
  }

  async create(name: string, secrets: string[] = [], fails = false): Promise<void> {
    const { namespace } = this;
    await this.cluster.create(Need, { metadata: { name, namespace }, spec: { secrets, fails } });
  }

  async change(name: string, secrets: string[], fails = false): Promise<void> {
    const { namespace } = this;
    await this.cluster.client.patch(Need, name, { spec: { secrets, fails } }, { namespace });
  }

  delete(name: string): Promise<unknown> {
    return this.cluster.client.delete(Need, name, { namespace: this.namespace });
  }

  /** Creates or changes a Secret with a label that reconciles read. */
  async secret(name: string, value: string): Promise<void> {
    const metadata = { name, namespace: this.namespace, labels: { value } };
    await this.cluster.client.apply(Secret, { metadata }, { fieldManager: 'test' });
  }

  /** Resolves when a reconcile has seen what the line describes. */
  sees(line: string, timeoutMs = 3000): Promise<void> {
    return eventually(() => expectThat(this.seen.includes(line), `${line} in ${this.seen.join('; ')}`), {
      timeout: timeoutMs,
    });
  }

  /** Resolves when so many watches of the kind are open. */
  opens(count: number, kind: KindRef = Secret): Promise<void> {
    return eventually(() => expectThat(this.counter.opened(kind) === count, `${String(count)} watches`));
  }
}

@Kind({ group: 'test.example.com', version: 'v1' })
@Owns(ConfigMap)
export class Need extends CustomResource {
  @Field() spec!: NeedSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { current } = NeedOperator;
    const { name } = this.metadata;
    const { secrets, fails = false } = this.spec;
    const values: string[] = [];
    try {
      for (const secret of secrets) await ctx.watch(Secret, secret === '*' ? {} : { name: secret });
      await current.inReconcile(ctx, name);
      for (const secret of secrets.filter((each) => each !== '*'))
        values.push((await ctx.get(Secret, secret))?.metadata.labels?.['value'] ?? 'missing');
    } catch (error) {
      current.errors.push(error);
      throw error;
    }
    current.seen.push(`${name}: ${values.join(' ')}`);
    if (fails) throw new Error('a failure after the declarations');
  }

  @Daemon()
  async follow(ctx: Context): Promise<void> {
    if (this.metadata.name !== 'daemon') return;
    NeedOperator.current.errors.push(await ctx.watch(Secret).catch((error: unknown) => error));
  }
}

function expectThat(isTrue: boolean, what = 'the operator has started'): void {
  if (!isTrue) throw new Error(`expected: ${what}`);
}
