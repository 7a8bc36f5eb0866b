import { describe, expect, test } from '@jest/globals';
import { CustomResource, Field, Kind, Validate } from 'kindwright';
import { startCluster } from 'kindwright/testing';

@Kind({ group: 'outages.example.com', version: 'v1' })
abstract class Lock extends CustomResource {
  @Field({ optional: true }) note?: string;

  @Validate({ timeoutSeconds: 1 }) check(): void {
    return undefined;
  }
}

@Kind({ group: 'outages.example.com', version: 'v1' })
abstract class Door extends CustomResource {
  @Field({ optional: true }) note?: string;

  @Validate({ failurePolicy: 'Ignore', timeoutSeconds: 1 }) check(): void {
    return undefined;
  }
}

const metadata = { name: 'a', namespace: 'default' };

describe('startCluster', () => {
  test.each([
    ['down', /failed calling webhook .*refused/i],
    ['slow', /failed calling webhook .*(deadline|timeout)/i],
  ] as const)('webhooks can be simulated to be %s, so that failurePolicy decides', async (webhooks, message) => {
    await using cluster = await startCluster({ server: 'embedded', webhooks });
    await cluster.run(Lock);
    await cluster.run(Door);
    await expect(cluster.create(Lock, { metadata })).rejects.toThrow(message);
    expect((await cluster.create(Door, { metadata })).metadata.name).toBe('a');
  });
});
