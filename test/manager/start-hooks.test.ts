import { describe, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  CustomResource,
  Field,
  Kind,
  Lease,
  Manager,
  type Disposer,
  type StartContext,
} from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { FakeClock } from '../../src/base/fake-clock.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const calls: string[] = [];

class Spec {
  @Field() value!: string;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class First extends CustomResource {
  @Field() spec!: Spec;

  static greeting = 'none';

  static async onStart(this: typeof First, { client }: StartContext): Promise<() => void> {
    await Promise.resolve();
    calls.push(`start First at ${client.config.server.protocol}`);
    this.greeting = 'hello';
    return () => {
      calls.push('end First');
    };
  }

  reconcile(): void {
    calls.push(`reconcile with ${First.greeting}`);
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Second extends CustomResource {
  @Field() spec!: Spec;

  static onStart(): AsyncDisposable {
    calls.push('start Second');
    return {
      [Symbol.asyncDispose]: () => {
        calls.push('end Second');
        return Promise.reject(new Error('already closed'));
      },
    };
  }

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Failing extends CustomResource {
  @Field() spec!: Spec;

  static onStart(): Disposer {
    throw new Error('no database at db.example.com');
  }

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Hanging extends CustomResource {
  @Field() spec!: Spec;

  static onStart(): Disposer {
    return () => {
      calls.push('end Hanging');
      return new Promise(() => undefined);
    };
  }

  reconcile(): void {
    return undefined;
  }
}

let writer: Client | undefined;

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Writing extends CustomResource {
  @Field() spec!: Spec;

  static onStart({ client }: StartContext): void {
    writer = client;
  }

  reconcile(): void {
    return undefined;
  }
}

test('the client of onStart writes before the process leads, and no longer after the lease is lost', async () => {
  await using cluster = await startCluster({ server: 'embedded' });
  const { client } = cluster;
  const namespace = 'default';
  const hold = (holderIdentity: string) =>
    client.apply(
      Lease,
      { metadata: { name: 'writing-leader', namespace }, spec: { holderIdentity, leaseDurationSeconds: 60 } },
      { force: true },
    );
  await hold('other');
  const leaderElection = { namespace, leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400 };
  const manager = new Manager({ client, leaderElection, identity: 'a', preflight: false }).add(Writing);
  const ended = manager.run(new AbortController().signal);
  ended.catch(() => undefined);
  await eventually(() => expect(writer).toBeDefined());
  const write = (name: string) => writer!.create(ConfigMap, { metadata: { name, namespace } });
  await write('standby');
  await hold('');
  await eventually(async () => {
    const { spec } = await client.get(Lease, 'writing-leader', { namespace });
    expect(spec?.holderIdentity).toBe('a');
  });
  await write('leader');
  await hold('thief');
  await expect(ended).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
  await expect(write('late')).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
  expect((await writer!.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(['standby', 'leader']),
  );
});

describe('static onStart', () => {
  test('onStart runs once before the first reconcile, and its disposers run after the last one, in reverse order', async () => {
    calls.length = 0;
    {
      await using cluster = await startCluster({ server: 'embedded' });
      await cluster.run(First, Second);
      const metadata = { name: 'a', namespace: 'default' };
      await cluster.create(First, { metadata, spec: { value: 'x' } });
      await eventually(() => expect(calls).toContain('reconcile with hello'));
    }
    expect(calls).toEqual(['start First at https:', 'start Second', 'reconcile with hello', 'end Second', 'end First']);
  });

  test('an error of onStart stops the start, names the class, and disposes of everything that was started', async () => {
    calls.length = 0;
    const server = new URL('http://127.0.0.1:1');
    const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
    const manager = new Manager({ client, preflight: false }).add(First).add(Failing);
    await expect(manager.run(new AbortController().signal)).rejects.toMatchObject({
      message: 'Failing.onStart failed: no database at db.example.com',
      code: 'E_START',
    });
    expect(calls).toEqual(['start First at http:', 'end First']);
    client.close();
  });

  test('onStart does not run when the operator is stopped before', async () => {
    calls.length = 0;
    const server = new URL('http://127.0.0.1:1');
    const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
    await new Manager({ client, preflight: false }).add(Failing).run(AbortSignal.abort(new Error('stopped')));
    client.close();
  });

  test('a disposer that does not end is logged with its class, and the next one runs', async () => {
    calls.length = 0;
    const clock = new FakeClock();
    const logger = new RecordingLogger();
    const server = new URL('http://127.0.0.1:1');
    const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
    const options = { client, clock, logger, preflight: false, gracefulShutdownTimeout: 5_000 };
    const manager = new Manager(options).add(First).add(Hanging).add(Failing);
    const ended = manager.run(new AbortController().signal).catch((error: unknown) => error);
    await eventually(() => expect(calls).toContain('end Hanging'));
    await clock.advance(4_999);
    expect(calls).not.toContain('end First');
    await clock.advance(1);
    expect(await ended).toMatchObject({ code: 'E_START' });
    expect(calls).toContain('end First');
    expect(logger.messages('error')).toEqual([
      'The cleanup after Hanging.onStart did not finish within 5000 ms of the stop',
    ]);
    client.close();
  });
});
