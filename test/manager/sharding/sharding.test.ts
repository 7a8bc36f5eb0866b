import { describe, expect, test } from '@jest/globals';
import { Client, CustomResource, Field, Kind, Manager, Source } from 'kindwright';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

class Spec {
  @Field() value!: string;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Shared extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Called extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }

  @Source({ path: '/called', auth: { bearer: { env: 'SECRET' } } })
  static called(): string[] {
    return [];
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Other extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {
    return undefined;
  }
}

const server = new URL('http://127.0.0.1:1');
const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
const run = (target: new () => CustomResource, options: object) =>
  new Manager({ client, ...options }).add(target).run(new AbortController().signal);

describe('a manager with sharding', () => {
  test('a manager with sharding warns when its Lease is named after the controllers', async () => {
    const logger = new RecordingLogger();
    const ended = AbortSignal.abort(new Error('the end'));
    await new Manager({ client, logger, sharding: true }).add(Shared).run(ended);
    expect(logger.messages('warn')).toEqual([expect.stringContaining('The Lease shared-shards is named after')]);
    const named = new RecordingLogger();
    await new Manager({ client, logger: named, sharding: { name: 'demo' } }).add(Shared).run(ended);
    expect(named.messages('warn')).toEqual([]);
  });

  test('a class cannot be added to a running manager with sharding', async () => {
    const stopping = new AbortController();
    const manager = new Manager({ client, sharding: { name: 'demo' } }).add(Shared);
    const running = manager.run(stopping.signal);
    await new Promise(setImmediate);
    expect(() => manager.add(Other)).toThrow('Other cannot be added: with sharding, all replicas must run the same');
    stopping.abort(new Error('the end'));
    await running;
  });

  test('a manager with sharding rejects leader election', async () => {
    const started = run(Shared, { sharding: true, leaderElection: true });
    await expect(started).rejects.toThrow('sharding and leader election exclude each other');
  });

  test('a manager with sharding rejects sources that get each request in one replica', async () => {
    const started = run(Called, { sharding: true });
    await expect(started).rejects.toThrow(/^Called: .* gets each request in one replica only/);
  });

  test.each([[0], [999], [600_001]])('a manager with sharding rejects the lease duration %p', async (leaseDuration) => {
    const started = run(Shared, { sharding: { leaseDuration } });
    await expect(started).rejects.toThrow(`sharding with leaseDuration ${leaseDuration} ms is not possible`);
  });

  test.each([['Upper'], ['a'.repeat(64)]])(
    'a manager with sharding rejects the name %p, which a Lease or a label cannot have',
    async (name) => {
      await expect(run(Shared, { sharding: { name } })).rejects.toThrow(`the sharding name "${name}" is invalid`);
    },
  );
});
