import { expect, test } from '@jest/globals';
import { startCluster } from 'kindwright/testing';
import { Listener } from '../../docs/examples/listener.js';

test('a rule of class-validator without a schema rejects a write, and names the field', async () => {
  await using cluster = await startCluster({ server: 'embedded' });
  await cluster.run(Listener);
  const create = (name: string, ...ports: string[]) =>
    cluster.create(Listener, {
      metadata: { name, namespace: 'default' },
      spec: { ports: ports.map((port) => ({ name: port })) },
    });
  await create('valid', 'abba');
  await expect(create('invalid', 'http')).rejects.toThrow(/spec\.ports\[0\]\.name: .*must read the same backwards/);
});
