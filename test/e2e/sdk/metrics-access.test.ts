import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import { eventually } from 'kindwright/testing';
import type { ManagerOptions } from '../../../src/manager/manager-options.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from './running-manager.js';
import { Widget } from './widget.js';

const folder = mkdtempSync(join(tmpdir(), 'kindwright-metrics-'));
const { caPem, certPem, keyPem } = createServingIdentity(Date.now());
let cluster: SuiteControlPlane;
let client: Client;

beforeAll(async () => {
  writeFileSync(join(folder, 'tls.crt'), certPem);
  writeFileSync(join(folder, 'tls.key'), keyPem);
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Widget]);
  for (const name of ['reader', 'stranger']) await cluster.kubectl(['create', 'serviceaccount', name]);
  await cluster.kubectl(['create', 'clusterrole', 'metrics-reader', '--verb=get', '--non-resource-url=/metrics']);
  await cluster.kubectl([
    ...['create', 'clusterrolebinding', 'metrics-reader', '--clusterrole=metrics-reader'],
    '--serviceaccount=default:reader',
  ]);
  // The real server's authoriser learns of the binding by a watch.
  const asked = ['auth', 'can-i', 'get', '/metrics', '--as=system:serviceaccount:default:reader'];
  await eventually(() => cluster.kubectl(asked));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const tokenOf = async (name: string): Promise<string> => (await cluster.kubectl(['create', 'token', name])).trim();

const CERTIFICATES: readonly (readonly [string, Partial<ManagerOptions>, RequestOptions])[] = [
  ['a certificate of files', { metricsCertDir: folder }, { ca: caPem, servername: 'localhost' }],
  ['a self-signed certificate', {}, { rejectUnauthorized: false }],
];

describe.each(CERTIFICATES)('metrics with --metrics-auth and %s', (how, options, trust) => {
  let manager: RunningManager;
  let address: string;
  beforeAll(async () => {
    const served = { metricsBindAddress: '127.0.0.1:0', metricsAuth: true, ...options };
    manager = await RunningManager.start(client, [Widget], served);
    address = String((await manager.logged(/^Serving metrics$/)).fields.address);
  });
  afterAll(() => manager.stop());

  async function ask(token?: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      const call = request(`https://${address}/metrics`, { ...trust, headers }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      });
      call.on('error', reject).end();
    });
  }

  test(`metrics with --metrics-auth and ${how} are served over HTTPS to users with permission to get the path`, async () => {
    const token = await tokenOf('reader');
    for (const _ of [1, 2])
      expect(await ask(token)).toEqual({ status: 200, body: expect.stringContaining('workqueue_depth') });
  });

  test(`metrics with --metrics-auth and ${how} are refused to users without permission`, async () => {
    expect(await ask(await tokenOf('stranger'))).toEqual({
      status: 403,
      body: 'the user of the token has no permission to read this\n',
    });
  });

  test.each([undefined, 'made.up.token'])('metrics with --metrics-auth are refused for the token %s', async (token) => {
    expect(await ask(token)).toEqual({ status: 401, body: 'a bearer token is required\n' });
  });

  test(`metrics with --metrics-auth and ${how} are not served over plain HTTP`, async () => {
    const headers = { authorization: `Bearer ${await tokenOf('reader')}` };
    await expect(fetch(`http://${address}/metrics`, { headers })).rejects.toThrow();
  });
});
