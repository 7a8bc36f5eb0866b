import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../../src/apiserver/server/audit-event.js';
import { patchOf, WebhookServer } from '../../e2e/admission/admission-suite.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { CONFIG_MAPS, configMap, TestServer, text, type Json } from '../api-client.js';

/** Behavior that only the embedded server has, or that cannot be observed on the real one. */

const events: AuditEvent[] = [];
let server: TestServer;
let webhook: WebhookServer;
beforeEach(async () => {
  events.length = 0;
  server = await TestServer.start({ audit: (event) => events.push(event) });
});
afterEach(async () => {
  webhook.stop();
  await server.stop();
});

async function configure(kind: 'Mutating' | 'Validating', clientConfig: object, rest: object = {}): Promise<void> {
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
  const { code } = await server.send('POST', path, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'config' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig,
        rules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...rest,
      },
    ],
  });
  expect(code).toBe(201);
}

/** The times of an object. */
function timesOf({ metadata }: Json): unknown {
  const { creationTimestamp, managedFields } = metadata as unknown as Record<string, unknown>;
  return { creationTimestamp, managedFields };
}

describe('a webhook of a Service', () => {
  test('a webhook of a Service is called on loopback at the target port, with the certificate of the Service', async () => {
    webhook = await WebhookServer.start(() => patchOf({ op: 'add', path: '/data', value: { by: 'service' } }));
    const ports = [{ name: 'https', port: 443, targetPort: webhook.port }];
    await server.patch('/api/v1/namespaces/default/services/kubernetes', 'merge', { spec: { ports } });
    const service = { namespace: 'default', name: 'kubernetes', path: '/mutate' };
    await configure('Mutating', { service, caBundle: webhook.caBundle });
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    expect(body).toMatchObject({ data: { by: 'service' } });
  });

  test('a webhook of a missing Service or port cannot be called', async () => {
    webhook = await WebhookServer.start(() => ({ allowed: true }));
    await configure('Validating', { service: { namespace: 'default', name: 'none' } });
    const missing = await server.send('POST', CONFIG_MAPS, configMap('a'));
    expect([missing.code, missing.body.message]).toEqual([
      500,
      'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "https://none.default.svc:443/?timeout=10s": service "none" not found',
    ]);
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/config';
    const clientConfig = { service: { namespace: 'default', name: 'kubernetes', port: 1 } };
    await server.patch(path, 'strategic-merge', { webhooks: [{ name: 'hook.example.com', clientConfig }] });
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    expect(text(body.message)).toContain('no service port 1 found for service "kubernetes"');
  });
});

describe('a webhook', () => {
  test('a webhook that responds after some time receives the object with the times that are stored', async () => {
    const clock = new FakeClock();
    const clocked = await TestServer.start({ clock });
    await server.stop();
    server = clocked;
    webhook = await WebhookServer.start(async () => {
      await clock.advance(5_000);
      return { allowed: true };
    });
    await configure('Validating', webhook.clientConfig());
    const created = await server.send('POST', CONFIG_MAPS, configMap('a'));
    const applied = await server.apply(`${CONFIG_MAPS}/a`, 'me', configMap('a', { mine: 'too' }));
    const patched = await server.patch(`${CONFIG_MAPS}/a`, 'merge', { data: { other: 'too' } });
    const stored = [created, applied, patched].map(({ body }) => timesOf(body));
    expect(webhook.reviews.map(({ request }) => timesOf(request!.object!))).toEqual(stored);
  });

  test('a webhook adds annotations to the audit event', async () => {
    webhook = await WebhookServer.start(() => ({ allowed: true, auditAnnotations: { why: 'because' } }));
    await configure('Validating', webhook.clientConfig());
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    while (!events.some(({ requestURI }) => requestURI === CONFIG_MAPS))
      await new Promise((resolve) => setImmediate(resolve));
    const event = events.find(({ requestURI }) => requestURI === CONFIG_MAPS);
    expect(event?.annotations).toEqual({ 'hook.example.com/why': 'because' });
  });

  test('a webhook is called again when the object changed during the call', async () => {
    let isFirst = true;
    webhook = await WebhookServer.start(async () => {
      if (isFirst) {
        isFirst = false;
        await server.patch(`${CONFIG_MAPS}/a`, 'merge', { data: { other: 'here first' } });
      }
      return { allowed: true };
    });
    await server.send('POST', CONFIG_MAPS, configMap('a', { kept: 'yes' }));
    await configure('Validating', webhook.clientConfig());
    const { code, body } = await server.patch(`${CONFIG_MAPS}/a`, 'merge', { data: { mine: 'too' } });
    expect([code, body.data]).toEqual([200, { kept: 'yes', other: 'here first', mine: 'too' }]);
    expect(webhook.reviews.at(-1)!.request!.oldObject!.data).toEqual({ kept: 'yes', other: 'here first' });
  });

  test('a webhook may use the older version of reviews', async () => {
    webhook = await WebhookServer.start(() => ({ allowed: false, uid: 'any', status: { message: 'old' } }));
    await configure('Validating', webhook.clientConfig(), { admissionReviewVersions: ['v0', 'v1beta1'] });
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    expect(body.message).toBe('admission webhook "hook.example.com" denied the request: old');
    expect(webhook.reviews[0]!.apiVersion).toBe('admission.k8s.io/v1beta1');
  });
});
