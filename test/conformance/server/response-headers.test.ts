import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, type Reply } from '../../e2e/admission/admission-suite.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const LONG = 140_000;
const APPS = '/openapi/v3/apis/apps/v1';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const metadata = { name: 'long', labels: { size: 'long' } };
  await suite.must('POST', CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { a: 'a'.repeat(LONG) },
  });
});
afterAll(() => suite.stop());

function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return suite.send('GET', path, undefined, undefined, headers);
}

async function headersOf(path: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  return (await get(path, headers)).headers ?? {};
}

describe('compression', () => {
  const gzip = { 'accept-encoding': 'gzip' };

  test.each([`${CONFIG_MAPS}?labelSelector=size=long`, `${CONFIG_MAPS}/long`])(
    'a long response to %s is compressed for clients that accept gzip',
    async (path) => {
      expect(await headersOf(path, gzip)).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(await headersOf(path)).not.toHaveProperty('content-encoding');
      expect(await headersOf(path, { 'accept-encoding': 'br' })).not.toHaveProperty('content-encoding');
    },
  );

  test.each([`${CONFIG_MAPS}?labelSelector=size=none`, APPS, '/apis'])(
    'a response to %s is not compressed',
    async (path) => {
      expect(await headersOf(path, gzip)).not.toHaveProperty('content-encoding');
    },
  );

  test('OpenAPI v2 is compressed', async () => {
    const sent = await headersOf('/openapi/v2', gzip);
    expect(sent).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding, Accept' });
  });
});

describe('conditional requests', () => {
  test.each([
    ['/openapi/v2', 'application/json'],
    [APPS, 'application/json'],
    ['/api', AGGREGATED],
    ['/apis', AGGREGATED],
  ])('an unchanged response to %s is not sent again', async (path, accept) => {
    const { etag } = await headersOf(path, { accept });
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = await get(path, { accept, 'if-none-match': String(etag) });
    expect(again.code).toBe(304);
    expect(again.headers).toMatchObject({ etag });
    expect(again.headers).not.toHaveProperty('content-length');
    expect((await get(path, { accept, 'if-none-match': '"other"' })).code).toBe(200);
  });

  test('a document is cached forever by its hash, and an unknown hash is redirected', async () => {
    const index = (await get('/openapi/v3')).body as unknown as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const url = index.paths['apis/apps/v1']!.serverRelativeURL;
    const { code, headers } = await get(url);
    expect(code).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, immutable', vary: 'Accept' });
    expect(headers?.expires).toMatch(/ UTC$/);
    const unknown = await get(`${APPS}?hash=ABC`);
    expect([unknown.code, unknown.headers?.location]).toEqual([301, url]);
  });

  test.each(['/openapi/v2', APPS])('a document can be read in parts: %s', async (path) => {
    const { code, headers } = await get(path, { range: 'bytes=0-9' });
    expect(code).toBe(206);
    expect(headers?.['content-range']).toMatch(/^bytes 0-9\/\d+$/);
  });
});

describe('media types', () => {
  const yaml = 'application/yaml';

  test.each([
    ['/openapi/v2', yaml, 406],
    [APPS, yaml, 406],
    ['/version', yaml, 406],
    ['/version', 'application/json', 200],
    ['/version', '*/*', 200],
    ['/openid/v1/jwks', 'application/json', 406],
    ['/openid/v1/jwks', 'application/jwk-set+json', 200],
    ['/.well-known/openid-configuration', 'text/plain', 406],
    ['/', yaml, 200],
    ['/index.html', 'text/html', 200],
    ['/apis', AGGREGATED.replace('json', 'yaml'), 200],
    ['/apis', AGGREGATED.replace('v=v2', 'v=v2beta1'), 406],
  ])('the response to %s as %s has the code %d', async (path, accept, code) => {
    expect((await get(path, { accept })).code).toBe(code);
  });

  test('the index of paths is also served as a page', async () => {
    expect((await get('/index.html')).body).toEqual((await get('/')).body);
  });
});

describe('the status of the server', () => {
  const statusz = (subtype: string, version: string) =>
    `application/${subtype};v=${version};g=config.k8s.io;as=Statusz`;

  test.each([
    ['text/plain', 200],
    ['*/*', 200],
    ['application/json', 406],
    [statusz('json', 'v1beta1'), 200],
    [statusz('yaml', 'v1alpha1'), 200],
    [statusz('json', 'v2'), 406],
    [`text/html, ${statusz('json', 'v1beta1')}`, 200],
  ])('the status page as %s has the code %d', async (accept, code) => {
    const reply = await get('/statusz', { accept });
    expect(reply.code).toBe(code);
    if (accept === statusz('json', 'v1beta1'))
      expect(reply.headers?.['content-type']).toBe('application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
  });

  test('the status page has the version and the time of the start', async () => {
    const { body } = await get('/statusz', { accept: statusz('json', 'v1beta1') });
    const { startTime, uptimeSeconds, paths, ...rest } = body as Record<string, unknown>;
    expect(rest).toEqual({
      kind: 'Statusz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'apiserver' },
      goVersion: expect.stringMatching(/^go1/),
      binaryVersion: expect.stringMatching(/^1\.36\.\d+$/),
      emulationVersion: '1.36',
    });
    expect(startTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(uptimeSeconds).toEqual(expect.any(Number));
    expect(paths).toContain('/statusz');
  });
});

describe('the audit ID', () => {
  test.each(['/version', '/nowhere', CONFIG_MAPS, `${CONFIG_MAPS}/none`])(
    'the response to %s has an audit ID',
    async (path) => {
      expect((await headersOf(path))['audit-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  test('a client can set the audit ID', async () => {
    expect((await headersOf('/version', { 'audit-id': 'mine' }))['audit-id']).toBe('mine');
  });
});
