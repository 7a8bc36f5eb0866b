import { spawnSync } from 'node:child_process';
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
import { silentLogger } from '../../../src/base/logger.js';
import { removeLeftovers } from '../../../src/manager/webhooks/leftover-registrations.js';
import { processAnnotation } from '../../../src/manager/webhooks/registering-process.js';
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

test('a registration removes only local configurations whose port refuses connections or whose process has ended', async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: open } = listener.address() as AddressInfo;
  const refused = await refusingPort();
  await using cluster = await startCluster({ server: 'embedded' });
  const leave = (type: keyof typeof KINDS, prefix: string, clients: readonly object[], more: object = {}) =>
    cluster.client.create(KINDS[type], {
      metadata: { name: `${prefix}-${type.toLowerCase()}-webhook-configuration`, labels: LABELS, ...more },
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
  await leave('Validating', 'unlabelled.example.com-local', [at(refused)], { labels: {} });
  await leave('Validating', 'deployed.example.com', [at(refused)]);
  await leave('Validating', 'mixed.example.com-local', [at(refused), at(open)]);
  await leave('Validating', 'remote.example.com-local', [{ url: `https://192.0.2.1:${refused}/validate` }]);
  await leave('Validating', 'service.example.com-local', [{ service: { name: 'a', namespace: 'default' } }]);
  const tunnel = [{ url: 'https://node-1:9443/validate' }];
  const by = (pid: number, place = '') => {
    const entries = Object.entries(processAnnotation());
    return {
      annotations: Object.fromEntries(entries.map(([key, at]) => [key, at.replace(/^\d+/, String(pid)) + place])),
    };
  };
  const ended = spawnSync(process.execPath, ['--version']).pid;
  await leave('Validating', 'ended.example.com-local', tunnel, by(ended));
  await leave('Validating', 'ended-elsewhere.example.com-local', tunnel, by(ended, '-of-another-host'));
  await leave('Validating', 'refused-elsewhere.example.com-local', dead, by(ended, '-of-another-host'));
  await leave('Validating', 'through-tunnel.example.com-local', tunnel, by(process.pid));

  await cluster.run(Gauge);

  const namesOf = async (type: keyof typeof KINDS) =>
    (await cluster.client.list(KINDS[type])).items.map(({ metadata }) => metadata.name.split(/\.example\.com/)[0]);
  expect(await namesOf('Mutating')).toEqual([]);
  expect(await namesOf('Validating')).toEqual([
    'deployed',
    'ended-elsewhere',
    'gauges.leftover',
    'mixed',
    'refused-elsewhere',
    'remote',
    'running',
    'service',
    'through-tunnel',
    'unlabelled',
  ]);

  await removeLeftovers(cluster.client, silentLogger, 'node-1:9443');
  expect(await namesOf('Validating')).not.toContain('ended-elsewhere');
  expect(await namesOf('Validating')).not.toContain('through-tunnel');
  expect(await namesOf('Validating')).toEqual(expect.arrayContaining(['gauges.leftover', 'remote']));
});
