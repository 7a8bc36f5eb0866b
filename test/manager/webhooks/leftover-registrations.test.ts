import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import {
  CustomResource,
  Field,
  Kind,
  MutatingWebhookConfiguration,
  Validate,
  ValidatingWebhookConfiguration,
} from 'kindwright';
import { startCluster } from 'kindwright/testing';
import { refusingPort } from '../../webhooks/refusing-port.js';

@Kind({ group: 'leftover.example.com', version: 'v1' })
abstract class Gauge extends CustomResource {
  @Field({ optional: true }) note?: string;

  @Validate() check(): void {
    return undefined;
  }
}

const LABELS = { 'app.kubernetes.io/managed-by': 'kindwright' };
const KINDS = { Mutating: MutatingWebhookConfiguration, Validating: ValidatingWebhookConfiguration } as const;

const listener = createServer();
afterEach(() => {
  listener.close();
});

test('a registration removes only the local configurations whose port refuses connections', async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: open } = listener.address() as AddressInfo;
  const refused = await refusingPort();
  await using cluster = await startCluster({ real: false });
  const leave = (type: keyof typeof KINDS, prefix: string, clients: readonly object[], labels: object = LABELS) =>
    cluster.client.create(KINDS[type], {
      metadata: { name: `${prefix}-${type.toLowerCase()}-webhook-configuration`, labels: { ...labels } },
      webhooks: clients.map((clientConfig, index) => ({
        name: `hook${index}.leftover.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None' as const,
        rules: [
          { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE' as const], resources: ['x'] },
        ],
        clientConfig,
      })),
    });
  const at = (port: number, path = '/validate') => ({ url: `https://127.0.0.1:${port}${path}` });
  const dead = [at(refused), at(refused, '/kindwright-probe')];
  await leave('Validating', 'killed.example.com-local', dead);
  await leave('Mutating', 'killed.example.com-local', dead);
  await leave('Validating', 'running.example.com-local', [at(open)]);
  await leave('Validating', 'unlabelled.example.com-local', [at(refused)], {});
  await leave('Validating', 'deployed.example.com', [at(refused)]);
  await leave('Validating', 'mixed.example.com-local', [at(refused), at(open)]);
  await leave('Validating', 'remote.example.com-local', [{ url: `https://192.0.2.1:${refused}/validate` }]);
  await leave('Validating', 'service.example.com-local', [{ service: { name: 'a', namespace: 'default' } }]);

  await cluster.run(Gauge);

  const namesOf = async (type: keyof typeof KINDS) =>
    (await cluster.client.list(KINDS[type])).items.map(({ metadata }) => metadata.name.split(/\.example\.com/)[0]);
  expect(await namesOf('Mutating')).toEqual([]);
  expect(await namesOf('Validating')).toEqual([
    'deployed',
    'gauges.leftover',
    'mixed',
    'remote',
    'running',
    'service',
    'unlabelled',
  ]);
});
