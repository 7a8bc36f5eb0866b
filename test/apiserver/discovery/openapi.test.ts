import { describe, expect, test } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { publishedVersion } from '../../../src/apiserver/crd/crd-openapi.js';
import { OpenApi } from '../../../src/apiserver/discovery/openapi.js';
import type { PublishedVersion } from '../../../src/apiserver/discovery/published-version.js';
import type { ApiRequest } from '../../../src/apiserver/transport/request/api-request.js';

const SECOND = 1000;
const DOCUMENT = '/openapi/v3/apis/example.com/v1';

function definition(plural: string, generation = 1) {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com`, uid: `uid-of-${plural}`, generation },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function published(plural: string, generation = 1): PublishedVersion {
  const given = definition(plural, generation);
  return publishedVersion(given, given.spec.versions[0]!);
}

class Documents {
  custom: readonly PublishedVersion[] = [published('widgets')];
  nowMs = 10 * SECOND;
  private readonly openApi = new OpenApi({
    custom: () => this.custom,
    remotePaths: () => ({}),
    now: () => this.nowMs,
  });

  async get(url: string, headers: IncomingHttpHeaders = {}) {
    const { pathname, searchParams } = new URL(url, 'https://localhost');
    const request = { query: searchParams, message: { headers } } as unknown as ApiRequest;
    const outcome = await this.openApi.serve(pathname, request);
    if (outcome?.type !== 'text') throw new Error(`${url} has no document`);
    const { code, body, headers: sent = {} } = outcome;
    return { code, body: Buffer.from(body), headers: sent };
  }

  async indexed(name: string): Promise<string> {
    const { paths } = JSON.parse((await this.get('/openapi/v3')).body.toString()) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    return paths[name]!.serverRelativeURL;
  }
}

describe('a document of OpenAPI', () => {
  test.each(['/openapi/v2', DOCUMENT])(
    'the OpenAPI document %s is not sent again to a client that has it',
    async (path) => {
      const documents = new Documents();
      const { ETag = '', 'Last-Modified': modified = '' } = (await documents.get(path)).headers;
      expect((await documents.get(path, { 'if-none-match': ETag })).code).toBe(304);
      expect((await documents.get(path, { 'if-none-match': `"other", W/${ETag}` })).code).toBe(304);
      expect((await documents.get(path, { 'if-none-match': '"other"' })).code).toBe(200);
      expect((await documents.get(path, { 'if-modified-since': modified })).code).toBe(304);
      expect((await documents.get(path, { 'if-match': '"other"' })).code).toBe(412);
    },
  );

  test('an OpenAPI document can be cached forever by the hash of the index', async () => {
    const documents = new Documents();
    const url = await documents.indexed('apis/example.com/v1');
    const { code, headers } = await documents.get(url);
    expect(code).toBe(200);
    expect(headers).toMatchObject({
      'Cache-Control': 'public, immutable',
      Expires: 'Fri, 01 Jan 1971 00:00:10 UTC',
      Vary: 'Accept',
    });
    expect((await documents.get(DOCUMENT)).headers).not.toHaveProperty('Cache-Control');
  });

  test('an old hash of an OpenAPI document is redirected to the current one', async () => {
    const documents = new Documents();
    const old = await documents.indexed('apis/example.com/v1');
    documents.custom = [published('widgets', 2)];
    const { code, headers } = await documents.get(old);
    expect(code).toBe(301);
    expect(headers.Location).toBe(await documents.indexed('apis/example.com/v1'));
    expect(headers.Location).not.toBe(old);
  });

  test('hash and time of an OpenAPI document change only with its own definitions', async () => {
    const documents = new Documents();
    const before = await documents.get(DOCUMENT);
    const builtIn = await documents.get('/openapi/v3/apis/apps/v1');
    documents.nowMs += 5 * SECOND;
    documents.custom = [published('gadgets'), published('widgets')];
    const after = await documents.get(DOCUMENT);
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
    expect(after.headers['Last-Modified']).toBe('Thu, 01 Jan 1970 00:00:15 GMT');
    expect(after.body.toString()).toContain('com.example.v1.Gadget');
    expect((await documents.get('/openapi/v3/apis/apps/v1')).headers).toEqual(builtIn.headers);
  });

  test('the OpenAPI parts of a definition are built once', async () => {
    const documents = new Documents();
    const [widgets] = documents.custom;
    await documents.get(DOCUMENT);
    const parts = widgets!.parts('v3');
    documents.custom = [published('gadgets'), widgets!];
    await documents.get(DOCUMENT);
    expect(widgets!.parts('v3')).toBe(parts);
    expect(documents.custom[0]!.isBuilt('v3')).toBe(true);
    expect(documents.custom[0]!.isBuilt('v2')).toBe(false);
  });

  test('an OpenAPI document can be read in parts', async () => {
    const documents = new Documents();
    const { body } = await documents.get(DOCUMENT);
    const size = body.length;
    const range = async (value: string) => documents.get(DOCUMENT, { range: value });
    expect((await range('bytes=2-9')).body).toEqual(body.subarray(2, 10));
    expect((await range('bytes=5-')).headers['Content-Range']).toBe(`bytes 5-${size - 1}/${size}`);
    expect((await range('bytes=-3')).body).toEqual(body.subarray(-3));
    expect((await range('bytes=-')).code).toBe(200);
    expect((await range(`bytes=${size}-`)).code).toBe(416);
  });

  test('OpenAPI is compressed in version 2 only, for clients that accept gzip', async () => {
    const documents = new Documents();
    const gzip = { 'accept-encoding': 'deflate, gzip' };
    const { body, headers } = await documents.get('/openapi/v2', gzip);
    expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding, Accept' });
    expect(gunzipSync(body).equals((await documents.get('/openapi/v2')).body)).toBe(true);
    expect((await documents.get(DOCUMENT, gzip)).headers).not.toHaveProperty('Content-Encoding');
  });

  test.each(['/openapi/v2', DOCUMENT])('the OpenAPI document %s is not available as YAML', async (path) => {
    expect((await new Documents().get(path, { accept: 'application/yaml' })).code).toBe(406);
  });
});
