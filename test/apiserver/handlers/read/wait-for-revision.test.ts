import { expect, test } from '@jest/globals';
import { waitForRevision } from '../../../../src/apiserver/handlers/read/wait-for-revision.js';
import { Registry } from '../../../../src/apiserver/registry/registry.js';
import { ObjectStore } from '../../../../src/apiserver/storage/object-store.js';
import { FakeClock } from '../../../../src/base/fake-clock.js';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

test('a read waits for a future revision', async () => {
  const registry = new Registry(new ObjectStore(), new FakeClock());
  const reached = waitForRevision(registry, registry.store.revision + 2);
  registry.store.put('configmaps', 'a', configMap);
  registry.store.put('configmaps', 'a', configMap);
  await expect(reached).resolves.toBeUndefined();
});

test('a revision that is not reached in three seconds is too large', async () => {
  const clock = new FakeClock();
  const registry = new Registry(new ObjectStore(), clock);
  const { revision } = registry.store;
  const reached = waitForRevision(registry, revision + 2);
  registry.store.put('configmaps', 'a', configMap);
  const refusal = expect(reached).rejects.toMatchObject({
    code: 504,
    message: `Timeout: Too large resource version: ${revision + 2}, current: ${revision + 1}`,
  });
  await clock.advance(3000);
  await refusal;
});
