import { appendFileSync, existsSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import {
  ConfigMap,
  Controller,
  CustomResource,
  Daemon,
  Field,
  Kind,
  Owns,
  type Client,
  type Context,
  type DaemonTask,
  type StartContext,
} from 'kindwright';

/**
 * The name of the process, which its objects get as data, the file for a line about each step, and whether the process is
 * blocked while it waits.
 */
const { WRITER = '', WRITER_RECORD = '', WRITER_IS_BLOCKED = '' } = process.env;
/** The line of a method that waits for its permission to write. */
export const WAITING = 'waiting';
const WRITING_MS = 3_000;
const BLOCKED_MS = 50;

/** The file whose existence lets a process write. */
export function permissionOf(recordFile: string): string {
  return `${recordFile}-permission`;
}

class PersistentWriterSpec {
  @Field({ optional: true }) changed?: string;
}

class PersistentWriterStatus {
  @Field({ optional: true }) writer?: string;
}

/** Creates a child, and waits. Then it tries to write in every way, again and again, although its signal is aborted. */
@Kind({ group: 'faults.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 10 })
@Owns(ConfigMap)
export class PersistentWriter extends CustomResource {
  @Field() spec!: PersistentWriterSpec;
  @Field() status!: PersistentWriterStatus;

  private static client: Client;

  static onStart({ client }: StartContext): void {
    PersistentWriter.client = client;
  }

  async reconcile(ctx: Context): Promise<void> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { writer: WRITER } });
    await this.write(ctx, 'reconcile');
    this.status.writer = WRITER;
  }

  @Daemon()
  async task(ctx: Context, _task: DaemonTask): Promise<void> {
    await this.write(ctx, 'daemon');
  }

  private async write(ctx: Context, who: string): Promise<void> {
    await permitted();
    for (const end = performance.now() + WRITING_MS; performance.now() < end;) {
      for (const [way, attempt] of Object.entries(this.ways(ctx, who))) await tryTo(`${who} ${way}`, attempt);
      await delay(20);
    }
  }

  private ways(ctx: Context, who: string): Record<string, () => unknown> {
    const { name, namespace = '' } = this.metadata;
    const data = { writer: `late ${WRITER}` };
    const metadata = { name, namespace };
    const late = { metadata: { name: `${name}-late-${who}`, namespace }, data };
    const child = { metadata: { ...metadata, uid: 'any' } } as ConfigMap;
    // With sharding it is not of an object: it may write again when the process has joined again.
    const raw = {
      'client of onStart': () => PersistentWriter.client.patch(ConfigMap, name, { data }, { namespace }),
    };
    return {
      ...(process.argv.includes('--sharding') ? {} : raw),
      apply: () => ctx.apply(ConfigMap, { metadata, data }),
      create: () => ctx.create(ConfigMap, late),
      patch: () => ctx.patch(ConfigMap, name, { data }),
      'patch of the status': () => ctx.patch(PersistentWriter, name, { status: data }, { subresource: 'status' }),
      delete: () => ctx.delete(ConfigMap, child),
      'ctx.client': () => ctx.client.patch(ConfigMap, name, { data }, { namespace }),
      'ctx.cluster()': () => ctx.cluster().patch(ConfigMap, name, { data }, { namespace }),
    };
  }
}

let permission: Promise<void> | undefined;

/** Resolves when the permission exists. */
function permitted(): Promise<void> {
  record(WAITING);
  permission ??= untilPermitted();
  return permission;
}

/**
 * A process that is blocked most of this time is stopped by a signal in the middle of a turn of the event loop. When it
 * continues, no timer runs before the next write.
 */
async function untilPermitted(): Promise<void> {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    if (WRITER_IS_BLOCKED === '') await delay(BLOCKED_MS);
    else Atomics.wait(never, 0, 0, BLOCKED_MS);
    if (existsSync(permissionOf(WRITER_RECORD))) return;
    await nextTurn();
  }
}

async function tryTo(what: string, attempt: () => unknown): Promise<void> {
  try {
    await attempt();
    record(`${what}: written`);
  } catch {
    record(`${what}: rejected`);
  }
}

function record(line: string): void {
  appendFileSync(WRITER_RECORD, `${line}\n`);
}
