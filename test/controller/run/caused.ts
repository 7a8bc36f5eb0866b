import { EventEmitter, on, once } from 'node:events';
import {
  ConfigMap,
  Controller,
  CustomResource,
  Daemon,
  Every,
  Field,
  Kind,
  Owns,
  Secret,
  ServiceAccount,
  Source,
  Watches,
  type Context,
  type DaemonTask,
  type Result,
  type SourceContext,
} from 'kindwright';

class CausedSpec {
  @Field() value!: string;
}

class CausedStatus {
  @Field({ optional: true }) seen?: string;
}

export type Behavior = (self: Caused, ctx: Context, run: number) => unknown;

/** The reconcile functions by the name of the object; others do nothing. `run` counts from 1. */
export const behaviors = new Map<string, Behavior>();
const counts = new Map<string, number>();

/** The label that names the object which a watched object belongs to; several are separated by points. */
export const LABEL = 'test.example.com/of';

@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({ maxConcurrentReconciles: 50 })
@Owns(ConfigMap)
@Owns(Secret, { predicate: ({ type }) => type === 'delete' })
@Watches(ServiceAccount, ({ metadata }) => metadata.labels?.[LABEL]?.split('.') ?? [])
export class Caused extends CustomResource {
  @Field() spec!: CausedSpec;
  @Field() status!: CausedStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const run = (counts.get(name) ?? 0) + 1;
    counts.set(name, run);
    return (await behaviors.get(name)?.(this, ctx, run)) as Result | void;
  }
}

/** Names of objects to which another reconcile has written, with the response received. */
export const written = new Set<string>();

/** Reconciles each update of its objects, also of the status, and writes to objects of `Caused` with the same name. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({ predicate: () => true })
export class Watcher extends CustomResource {
  @Field() spec!: CausedSpec;
  @Field() status!: CausedStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    if (this.spec.value === 'patch') {
      await ctx.patch(Caused, this.metadata.name, { spec: { value: 'patched' } });
      written.add(this.metadata.name);
    }
    if (this.spec.value === 'status') this.status.seen = 'status';
  }
}

/** Triggered by what is not an event of the cluster. */
@Kind({ group: 'test.example.com', version: 'v1' })
export class Triggered extends CustomResource {
  /** The names that the next call of the poll returns. */
  static polled: string[] = [];
  private static readonly events = new EventEmitter();

  static send(key: string): void {
    Triggered.events.emit('sent', key);
  }

  static wake(name: string): void {
    Triggered.events.emit(`wake ${name}`);
  }

  @Field() spec!: CausedSpec;

  @Source()
  static async *sent({ signal }: SourceContext): AsyncGenerator<string> {
    for await (const [key] of on(Triggered.events, 'sent', { signal })) yield String(key);
  }

  @Source({ every: '100ms' })
  static poll(): string[] {
    return Triggered.polled.splice(0);
  }

  @Daemon()
  async follow(_: Context, task: DaemonTask): Promise<void> {
    if (this.spec.value !== 'daemon') return;
    await once(Triggered.events, `wake ${this.metadata.name}`, { signal: task.signal });
    task.reconcile();
  }

  reconcile(): void {
    // Only its causes matter.
  }
}
/** Has a timer that fires a second after its object appears, at the earliest. */
@Kind({ group: 'test.example.com', version: 'v1' })
export class Timed extends CustomResource {
  @Field() spec!: CausedSpec;

  @Every('1s')
  tick(): void {
    // Only its cause matters.
  }

  reconcile(): void {
    // Only its causes matter.
  }
}
