import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite } from '../controllers/cluster-suite.js';

const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews';
const ISSUER = 'https://kubernetes.default.svc';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const request = (spec: object = {}): Promise<Reply> =>
  suite.requests.send('POST', `${suite.path('serviceaccounts', 'default')}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
const newToken = async (spec: object = {}): Promise<string> => text((await request(spec)).body.status!.token);
const review = async (token: string, audiences?: string[]): Promise<Json> => {
  const spec = { token, ...(audiences && { audiences }) };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
  return (await suite.requests.must('POST', REVIEWS, body)).status!;
};
const part = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Json;
const uidOf = async (path: string): Promise<Json> => (await suite.get(path)).body.metadata!.uid!;
const newPod = (spec: object = {}): Promise<Json> =>
  suite.create('pods', 'Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

test('OpenID discovery contains the public key of tokens', async () => {
  const configuration = (await suite.get('/.well-known/openid-configuration')).body;
  expect(configuration).toEqual({
    issuer: ISSUER,
    jwks_uri: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/openid\/v1\/jwks$/),
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const { keys } = (await suite.get('/openid/v1/jwks')).body;
  const [key] = keys as unknown as Record<string, string>[];
  const token = await newToken();
  expect(part(token, 0)).toEqual({ alg: 'ES256', kid: key!.kid });
  expect(Object.keys(key!)).toEqual(['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']);
  const publicKey = createPublicKey({ key: key!, format: 'jwk' });
  const [header, payload, signature] = token.split('.');
  const signed = Buffer.from(`${header!}.${payload!}`);
  const given = Buffer.from(signature!, 'base64url');
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, given)).toBe(true);
});

describe('a token', () => {
  test('a token contains its user and expiry', async () => {
    const claims = part(await newToken({ expirationSeconds: 7200 }), 1);
    const uid = await uidOf(suite.path('serviceaccounts', 'default'));
    expect(claims).toEqual({
      aud: [ISSUER],
      exp: Number(claims.iat) + 7200,
      iat: expect.any(Number),
      iss: ISSUER,
      jti: expect.any(String),
      'kubernetes.io': { namespace: suite.namespace, serviceaccount: { name: 'default', uid } },
      nbf: claims.iat,
      sub: `system:serviceaccount:${suite.namespace}:default`,
    });
  });

  test('a token authenticates its ServiceAccount', async () => {
    const token = await newToken();
    expect(await review(token)).toEqual({
      authenticated: true,
      audiences: [ISSUER],
      user: {
        username: `system:serviceaccount:${suite.namespace}:default`,
        uid: await uidOf(suite.path('serviceaccounts', 'default')),
        groups: ['system:serviceaccounts', `system:serviceaccounts:${suite.namespace}`, 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${text(part(token, 1).jti)}`] },
      },
    });
  });

  test('a token is valid for its audiences only', async () => {
    const token = await newToken({ audiences: ['a', 'b'] });
    expect(await review(token, ['b', 'c'])).toMatchObject({ authenticated: true, audiences: ['b'] });
    expect(await review(token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["${ISSUER}"]]`,
    });
  });

  test('a token that was modified is rejected', async () => {
    const [header, , signature] = (await newToken()).split('.');
    const payload = Buffer.from(JSON.stringify({ iss: ISSUER, aud: [ISSUER], exp: 2 ** 40 })).toString('base64url');
    const { error, user } = await review(`${header!}.${payload}.${signature!}`);
    expect([text(error), user]).toEqual([expect.stringContaining('invalid bearer token'), {}]);
  });

  test('a token becomes invalid with its ServiceAccount', async () => {
    await suite.create('serviceaccounts', 'ServiceAccount', 'other');
    const path = suite.path('serviceaccounts', 'other');
    const { status } = await suite.requests.must('POST', `${path}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    await suite.requests.must('DELETE', path);
    await suite.requests.until(
      async () => ({ code: 200, body: await review(text(status!.token)), warnings: [] }),
      ({ body }) => body.error !== undefined,
    );
  });

  test('a token can be bound to a pod, and contains its node', async () => {
    await newPod({ nodeName: 'node-1' });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
    const token = await newToken({ boundObjectRef });
    const [pod, node] = [await uidOf(suite.path('pods', 'p')), await uidOf('/api/v1/nodes/node-1')];
    expect(part(token, 1)['kubernetes.io']).toMatchObject({
      node: { name: 'node-1', uid: node },
      pod: { name: 'p', uid: pod },
    });
    expect((await review(token)).user!.extra).toEqual({
      'authentication.kubernetes.io/credential-id': [expect.any(String)],
      'authentication.kubernetes.io/node-name': ['node-1'],
      'authentication.kubernetes.io/node-uid': [node],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': [pod],
    });
  });

  test('a token can be bound to a Secret, and becomes invalid with it', async () => {
    await suite.create('secrets', 'Secret', 's');
    const token = await newToken({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } });
    expect(await review(token)).toMatchObject({ authenticated: true });
    await suite.requests.must('DELETE', suite.path('secrets', 's'));
    await suite.requests.until(
      async () => ({ code: 200, body: await review(token), warnings: [] }),
      ({ body }) => body.error !== undefined,
    );
  });

  test.each<[object, number, string]>([
    [{ apiVersion: 'v1', kind: 'Pod', name: 'none' }, 404, 'pods "none" not found'],
    [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'c' },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
    [
      { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'u' },
      409,
      'Operation cannot be fulfilled on Node "node-1": the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
    ],
  ])('a token cannot be bound to %j', async (boundObjectRef, code, message) => {
    const { code: answered, body } = await request({ boundObjectRef });
    expect([answered, body.message]).toEqual([code, message]);
  });
});

describe('a Secret for a token', () => {
  const newSecret = (account: string): Promise<Json> =>
    suite.create(
      'secrets',
      'Secret',
      's',
      { type: 'kubernetes.io/service-account-token' },
      { annotations: { 'kubernetes.io/service-account.name': account } },
    );
  const path = (): string => suite.path('secrets', 's');

  test('a token Secret gets a token that does not expire, and becomes invalid with the Secret', async () => {
    await newSecret('default');
    const { data, metadata } = await suite.once(path(), (secret) => secret.data?.token !== undefined);
    const uid = await uidOf(suite.path('serviceaccounts', 'default'));
    expect(metadata!.annotations).toMatchObject({ 'kubernetes.io/service-account.uid': uid });
    expect(Object.keys(data!).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    const token = Buffer.from(text(data!.token), 'base64').toString();
    expect(part(token, 1)).toEqual({
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': suite.namespace,
      'kubernetes.io/serviceaccount/secret.name': 's',
      'kubernetes.io/serviceaccount/service-account.name': 'default',
      'kubernetes.io/serviceaccount/service-account.uid': uid,
      sub: `system:serviceaccount:${suite.namespace}:default`,
    });
    // The real server compares it with the Secret as it last saw that, which may be without a token.
    const { body } = await suite.requests.until(
      async () => ({ code: 200, body: await review(token), warnings: [] }),
      ({ body: reviewed }) => reviewed.authenticated !== undefined,
    );
    expect([body.authenticated, body.user!.username]).toEqual([
      true,
      `system:serviceaccount:${suite.namespace}:default`,
    ]);
    await suite.requests.must('DELETE', path());
    await suite.requests.until(
      async () => ({ code: 200, body: await review(token), warnings: [] }),
      ({ body: reviewed }) => reviewed.error !== undefined,
    );
  });

  test('a token Secret is deleted with its ServiceAccount', async () => {
    await suite.create('serviceaccounts', 'ServiceAccount', 'other');
    await newSecret('other');
    await suite.once(path(), (secret) => secret.data?.token !== undefined);
    await suite.requests.must('DELETE', suite.path('serviceaccounts', 'other'));
    await suite.gone(path());
  });
});
