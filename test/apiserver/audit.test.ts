import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../src/apiserver/server/audit-event.js';
import { CONFIG_MAPS, configMap, TestServer } from './api-client.js';

const events: AuditEvent[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ audit: (event) => events.push(event) });
});
afterAll(() => server.stop());

/** The next event of a verb, once it is there. */
async function eventOf(verb: string): Promise<AuditEvent> {
  const isIt = (event: AuditEvent): boolean => event.verb === verb;
  while (!events.some(isIt)) await new Promise((resolve) => setImmediate(resolve));
  return events.splice(events.findIndex(isIt), 1)[0]!;
}

test('each request has an audit event with user, verb, object and response', async () => {
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const { auditID, requestReceivedTimestamp, stageTimestamp, user, ...event } = await eventOf('create');
  expect(event).toEqual({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    stage: 'ResponseComplete',
    requestURI: CONFIG_MAPS,
    verb: 'create',
    sourceIPs: ['127.0.0.1'],
    userAgent: 'test/1',
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    annotations: {},
  });
  expect(user.groups).toContain('system:masters');
  expect(auditID).toMatch(/^[0-9a-f-]{36}$/);
  for (const time of [requestReceivedTimestamp, stageTimestamp])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('the audit event of a rejected request contains the reason', async () => {
  await server.send('GET', '/apis/apps/v1/namespaces/default/deployments/none/scale');
  const { objectRef, responseStatus } = await eventOf('get');
  expect(objectRef).toEqual({
    resource: 'deployments',
    namespace: 'default',
    name: 'none',
    apiGroup: 'apps',
    apiVersion: 'v1',
    subresource: 'scale',
  });
  expect(responseStatus).toMatchObject({ status: 'Failure', reason: 'NotFound', code: 404 });
});

test('a watch has an audit event at its start and at its end', async () => {
  await server.watch(`${CONFIG_MAPS}?watch=1`, 1);
  const [begun, ended] = [await eventOf('watch'), await eventOf('watch')];
  expect([begun.stage, ended.stage]).toEqual(['ResponseStarted', 'ResponseComplete']);
  expect(ended).toMatchObject({ auditID: begun.auditID, responseStatus: { code: 200 } });
});
