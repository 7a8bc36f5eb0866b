import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { createMetrics } from '../../../src/base/metrics.js';
import type { Client } from '../../../src/client/client.js';
import type { ManagerOptions } from '../../../src/manager/manager-options.js';
import { MetricsServer } from '../../../src/manager/metrics/metrics-server.js';
import { ProvidedValues } from '../../../src/resource/provided-values.js';

interface Review {
  readonly spec: { readonly token?: string; readonly user?: string };
}

/** Reviews the token `good` as a user with permission. */
function review(_kind: unknown, { spec }: Review): Promise<unknown> {
  if (spec.token === undefined) return Promise.resolve({ status: { allowed: spec.user === 'reader' } });
  const authenticated = spec.token === 'good';
  return Promise.resolve({ status: { authenticated, ...(authenticated && { user: { username: 'reader' } }) } });
}

describe('metrics with metricsAuth and without metricsCertDir', () => {
  let server: MetricsServer;
  let address: string;
  beforeEach(async () => {
    ({ server, address } = await serve({ metricsAuth: true }));
  });
  afterEach(() => server.close());

  test('metrics with metricsAuth are served over HTTPS, self-signed, to a user with permission', async () => {
    expect(await ask(address, 'good')).toEqual({ status: 200, body: expect.stringContaining('served_total 1') });
  });

  test.each([undefined, 'unknown'])('metrics with metricsAuth require a known token, not %s', async (token) => {
    expect(await ask(address, token)).toEqual({ status: 401, body: 'a bearer token is required\n' });
  });

  test('metrics with metricsAuth are not served over plain HTTP', async () => {
    const headers = { authorization: 'Bearer good' };
    await expect(fetch(`http://${address}/metrics`, { headers })).rejects.toThrow();
  });

  test('clients cannot verify the self-signed certificate of the metrics server', async () => {
    await expect(ask(address, 'good', true)).rejects.toThrow(/certificate/);
  });
});

test('metrics without metricsAuth and metricsCertDir are served over HTTP', async () => {
  const { server, address } = await serve({});
  const response = await fetch(`http://${address}/metrics`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('served_total 1')]);
  await server.close();
});

test('metrics with metricsAuth are not served at the address 0', async () => {
  const { server, address } = await serve({ metricsAuth: true, metricsBindAddress: '0' });
  expect(address).toBe('not served');
  await server.close();
});

async function serve(options: Pick<ManagerOptions, 'metricsAuth' | 'metricsBindAddress'>) {
  let address = 'not served';
  const metrics = await createMetrics();
  metrics.counter('served_total', 'A counter', []).labels().inc();
  const server = new MetricsServer(metrics, {
    client: { create: review } as unknown as Client,
    clock: new FakeClock(),
    logger: { ...silentLogger, info: (_message, fields) => (address = String(fields?.['address'])) },
    strict: true,
    provided: new ProvidedValues(),
    metricsBindAddress: '127.0.0.1:0',
    ...options,
  });
  await server.start();
  return { server, address };
}

async function ask(address: string, token?: string, rejectUnauthorized = false) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
    const call = request(`https://${address}/metrics`, { headers, rejectUnauthorized }, (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    call.on('error', reject).end();
  });
}
