import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { ValidatingWebhookConfiguration } from 'kindwright';
import { startCluster } from 'kindwright/testing';
import { silentLogger } from '../../../src/base/logger.js';
import { AddressProbe } from '../../../src/manager/webhooks/address-probe.js';
import { candidateAddresses } from '../../../src/manager/webhooks/candidate-addresses.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { refusingPort } from '../../webhooks/refusing-port.js';

test('a probe returns the first address that the API server reaches, and the reasons of the others', async () => {
  await using cluster = await startCluster({ server: 'embedded' });
  const { caPem, certPem, keyPem } = createServingIdentity(Date.now(), ['127.0.0.2']);
  const probe = new AddressProbe(cluster.client, Buffer.from(caPem).toString('base64'), silentLogger);
  const server = createServer({ cert: certPem, key: keyPem }, ({ url = '' }, response) => {
    probe.received(url.replace(/\?.*$/, ''));
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  try {
    const refused = `127.0.0.1:${String(await refusingPort())}`;
    const reachable = `127.0.0.2:${String((server.address() as AddressInfo).port)}`;
    expect(await probe.find([refused, reachable])).toEqual({
      reached: reachable,
      unreachable: [{ address: refused, reason: expect.stringContaining('refused') }],
    });
    expect((await cluster.client.list(ValidatingWebhookConfiguration)).items).toEqual([]);
  } finally {
    server.close();
  }
});

test('an API server on loopback is tried on loopback first, and other interfaces are listened at only after that', async () => {
  const [first, second] = await candidateAddresses('auto', new URL('https://127.0.0.1:6443'));
  expect(first).toEqual({ bindAddress: '127.0.0.1:0', hosts: ['127.0.0.1'], isProbed: true });
  expect(second).toMatchObject({ bindAddress: ':0', hosts: expect.arrayContaining(['host.docker.internal']) });
});

test('an API server that cannot be connected to is tried with the interfaces of the machine', async () => {
  const closed = `https://127.0.0.1.nip.invalid:${String(await refusingPort())}`;
  const candidates = await candidateAddresses('auto', new URL(closed));
  expect(candidates).toEqual([
    { bindAddress: ':0', hosts: expect.arrayContaining(['host.minikube.internal']), isProbed: true },
  ]);
});

test('a tunnel is the only address to try', async () => {
  const url = new URL('https://api.example.com:6443');
  expect(await candidateAddresses('node-1:9443', url)).toEqual([
    { bindAddress: undefined, hosts: ['node-1:9443'], isProbed: true },
  ]);
});
