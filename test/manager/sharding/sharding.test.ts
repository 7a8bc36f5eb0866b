import { describe, expect, test } from '@jest/globals';
import { Client, CustomResource, Field, Kind, Manager, Source } from 'kindwright';

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

const server = new URL('http://127.0.0.1:1');
const client = new Client({ server, namespace: undefined, source: 'test', user: 'test' });
const run = (target: new () => CustomResource, options: object) =>
  new Manager({ client, ...options }).add(target).run(new AbortController().signal);

describe('a manager with sharding', () => {
  test('a manager with sharding rejects leader election', async () => {
    const started = run(Shared, { sharding: true, leaderElection: true });
    await expect(started).rejects.toThrow('sharding and leader election exclude each other');
  });

  test('a manager with sharding rejects sources that get each request in one replica', async () => {
    const started = run(Called, { sharding: true });
    await expect(started).rejects.toThrow(/^Called: .* gets each request in one replica only/);
  });

  test.each([[0], [999], [NaN], [600_001]])(
    'a manager with sharding rejects the lease duration %p',
    async (leaseDurationMs) => {
      const started = run(Shared, { sharding: { leaseDurationMs } });
      await expect(started).rejects.toThrow(`sharding with leaseDurationMs ${leaseDurationMs} is not possible`);
    },
  );

  test.each([['Upper'], ['a'.repeat(64)]])(
    'a manager with sharding rejects the name %p, which a Lease or a label cannot have',
    async (name) => {
      await expect(run(Shared, { sharding: { name } })).rejects.toThrow(`the sharding name "${name}" is invalid`);
    },
  );
});
