import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { TestServer, text } from '../api-client.js';

const dataDir = mkdtempSync(join(tmpdir(), 'token-key-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/robot';
const SUBJECT = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

test('a token is valid after a restart on the same data', async () => {
  const first = await TestServer.start({ dataDir });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  await first.send('POST', ACCOUNT.replace('/robot', ''), account);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await first.send('POST', `${ACCOUNT}/token`, request);
  await first.stop();
  const second = await TestServer.start({ dataDir });
  try {
    const authorization = `Bearer ${text(body.status!.token)}`;
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { body: answer } = await second.send('POST', SUBJECT, review, { authorization });
    expect(answer.status?.userInfo?.username).toBe('system:serviceaccount:default:robot');
  } finally {
    await second.stop();
  }
});

test('the key that signs tokens is readable only by its owner', () => {
  expect(statSync(join(dataDir, 'service-account.key')).mode & 0o777).toBe(0o600);
});
