import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { TestServer, type Json } from '../api-client.js';
import { CLIENT_CA, FALSE_JANE, JANE } from './client-identity.js';

let api: TestServer;
const serving = createServingIdentity(Date.now());

beforeAll(async () => {
  api = await TestServer.start({ clientCaPem: CLIENT_CA, serving });
});
afterAll(() => api.stop());

/** Returns the user that the server authenticates by a certificate. */
function whoIs(identity: { key: string; cert: string }, authorization?: string): Promise<{ code: number; body: Json }> {
  const options = {
    ...identity,
    ca: serving.caPem,
    method: 'POST',
    agent: false as const,
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
  };
  const url = new URL('/apis/authentication.k8s.io/v1/selfsubjectreviews', api.server.url);
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      let received = '';
      response.on('data', (chunk: Buffer) => (received += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(received) as Json }));
    });
    call.on('error', reject);
    call.end('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
  });
}

describe('a client certificate', () => {
  test('a client certificate contains the user as common name and the groups as organizations', async () => {
    const { body } = await whoIs(JANE);
    expect(body.status?.userInfo).toEqual({
      username: 'jane',
      groups: ['system:masters', 'team:blue', 'system:authenticated'],
    });
  });

  test('a client certificate takes precedence over a token', async () => {
    expect((await whoIs(JANE, 'Bearer nope')).body.status?.userInfo?.username).toBe('jane');
  });

  test('a client certificate of an unknown authority is rejected, without falling back to anonymous', async () => {
    const { code, body } = await whoIs(FALSE_JANE);
    expect([code, body.message]).toEqual([401, 'Unauthorized']);
  });

  test('a client certificate of an unknown authority does not affect a valid token', async () => {
    const { body } = await whoIs(FALSE_JANE, `Bearer ${api.server.token}`);
    expect(body.status?.userInfo?.username).toBe('kubernetes-admin');
  });
});

describe('an anonymous user', () => {
  test.each(['/healthz', '/livez', '/readyz', '/version'])('an anonymous user can read %s', async (path) => {
    expect((await api.send('GET', path, undefined, { authorization: '' })).code).toBe(200);
  });

  test('an anonymous user can read nothing else', async () => {
    const { code, body } = await api.send('GET', '/apis', undefined, { authorization: '' });
    expect([code, body.message]).toEqual([403, 'forbidden: User "system:anonymous" cannot get path "/apis"']);
  });
});
