import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { objectAt } from '../../../src/base/json-object.js';
import { ControlPlane } from '../../controlplane/control-plane.js';
import { decodeAggregated, decodeOpenApi, decodeSwagger } from '../../documents/decode-documents.js';
import { differingPlaces } from '../../documents/differing-places.js';
import { documentDefinitions } from '../../documents/document-definitions.js';
import { normalizedDocument } from '../../documents/document-exceptions.js';
import { fieldPaths } from '../../documents/field-paths.js';
import { AGGREGATED, readDocuments } from '../../documents/read-documents.js';
import { ApiEndpoint } from '../../fidelity/api-endpoint.js';

const OPENAPI_PROTO = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The real server publishes definitions with a delay of up to a minute in each of two steps. */
const PUBLISHED_MS = 180_000;
const POLL_MS = 500;
const TIMEOUT_MS = 300_000;

const definitions = await documentDefinitions();
const servedVersions = definitions.flatMap(({ spec }) =>
  spec.versions
    .filter(({ served }) => served)
    .map(({ name, schema }) => ({
      groupVersion: `${spec.group}/${name}`,
      plural: spec.names.plural,
      schema: objectAt(schema, 'openAPIV3Schema'),
    })),
);

let folder: string;
let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;
let endpoints: readonly ApiEndpoint[] = [];
let theirs: ReadonlyMap<string, unknown> = new Map();
let ours: ReadonlyMap<string, unknown> = new Map();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  [real, embedded] = await Promise.all([
    ControlPlane.start({ parts: ['etcd', 'apiserver'] }),
    EmbeddedApiServer.start({ withoutControllers: true }),
  ]);
  endpoints = [new ApiEndpoint(real.kubeconfig), new ApiEndpoint(embedded.kubeconfig)];
  await Promise.all(endpoints.map(createDefinitions));
  await Promise.all(endpoints.map(untilPublished));
  [theirs, ours] = (await Promise.all(endpoints.map(readDocuments))) as [typeof theirs, typeof ours];
}, TIMEOUT_MS);
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await Promise.all([real?.stop(), embedded?.stop()]);
  await rm(folder, { recursive: true });
});

async function createDefinitions(endpoint: ApiEndpoint): Promise<void> {
  for (const body of definitions) {
    const { code, body: reply } = await endpoint.send({ method: 'POST', path: CRDS, body });
    if (code !== 201) throw new Error(`${body.metadata.name}: ${JSON.stringify(reply)}`);
  }
}

/** Waits until every document contains every served version. */
async function untilPublished(endpoint: ApiEndpoint): Promise<void> {
  const end = performance.now() + PUBLISHED_MS;
  for (;;) {
    const missing = await unpublished(endpoint);
    if (missing.length === 0) return;
    if (performance.now() > end) throw new Error(`not published: ${missing.join(', ')}`);
    await delay(POLL_MS);
  }
}

async function unpublished(endpoint: ApiEndpoint): Promise<string[]> {
  const get = async (path: string) => (await endpoint.send({ method: 'GET', path })).body;
  const groupVersions = [...new Set(servedVersions.map(({ groupVersion }) => groupVersion))];
  const documents = ['/openapi/v2', ...groupVersions.map((name) => `/openapi/v3/apis/${name}`)];
  const paths = await Promise.all(documents.map(async (path) => Object.keys(objectAt(await get(path), 'paths'))));
  const published = new Set(paths.slice(1).flat());
  return servedVersions
    .map(({ groupVersion, plural }) => `/apis/${groupVersion}/${plural}`)
    .filter((path) => !paths[0]!.includes(path) || !published.has(path));
}

function differencesOf(name: string): string[] {
  const [a, b] = [theirs, ours].map((documents) => normalizedDocument(name, documents.get(name)));
  return [...differingPlaces(a, b)].map(
    (place) => `${place.path}: ${JSON.stringify(place.ours)}, the real server ${JSON.stringify(place.theirs)}`,
  );
}

test('the definitions of the comparison have several versions, groups and scopes', () => {
  expect(definitions.length).toBeGreaterThanOrEqual(60);
  expect(servedVersions.length).toBeGreaterThan(definitions.length);
});

describe('documents for clients', () => {
  test('both servers have the same documents', () => {
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
  });

  test.each([
    ['OpenAPI v2', /^\/openapi\/v2$/, 1],
    ['OpenAPI v3', /^\/openapi\/v3/, 60],
    ['aggregated discovery', / aggregated$/, 2],
    ['discovery of groups and versions', /^\/apis?(\/[^ ]+)?$/, 60],
  ])('the document %s is equal on both servers', (_name, documents, count) => {
    const names = [...theirs.keys()].filter((name) => documents.test(name));
    expect(names.length).toBeGreaterThanOrEqual(count);
    const different = names.map((name) => [name, differencesOf(name).slice(0, 10)] as const);
    expect(different.filter(([, places]) => places.length > 0)).toEqual([]);
  });
});

describe('documents in protobuf', () => {
  test('OpenAPI v2 has the same content on both servers', async () => {
    const accept = OPENAPI_PROTO.replace('v3', 'v2');
    const bodies = await Promise.all(endpoints.map((endpoint) => endpoint.download('/openapi/v2', accept)));
    const [a, b] = bodies.map(decodeSwagger);
    expect([...differingPlaces(a, b)].slice(0, 10)).toEqual([]);
  });

  test('every document of OpenAPI v3 has the same content on both servers', async () => {
    const names = [...theirs.keys()].filter((name) => name.startsWith('/openapi/v3/'));
    expect(names.length).toBeGreaterThanOrEqual(60);
    for (const name of names) {
      const bodies = await Promise.all(endpoints.map((endpoint) => endpoint.download(name, OPENAPI_PROTO)));
      const [a, b] = bodies.map(decodeOpenApi);
      expect([name, ...differingPlaces(a, b)]).toEqual([name]);
    }
  });

  test.each(['/api', '/apis'])('aggregated discovery of %s has the same content on both servers', async (path) => {
    const accept = AGGREGATED.replace('json', 'vnd.kubernetes.protobuf');
    const bodies = await Promise.all(endpoints.map((endpoint) => endpoint.download(path, accept)));
    const [a, b] = bodies.map(decodeAggregated);
    expect(b).toEqual(a);
    expect(b).toMatchObject({ typeMeta: { kind: 'APIGroupDiscoveryList' } });
  });
});

describe('kubectl explain', () => {
  async function explain(kubeconfig: string, cache: string, args: readonly string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(folder, cache) };
    const options = { env, maxBuffer: 1 << 26 };
    try {
      return (await promisify(execFile)(real!.binaries.kubectl, ['explain', ...args], options)).stdout;
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  }

  async function explained(args: readonly string[]): Promise<readonly [theirs: string, ours: string]> {
    return Promise.all([explain(real!.kubeconfig, 'real', args), explain(embedded!.kubeconfig, 'embedded', args)]);
  }

  test.each(servedVersions)(
    'kubectl explain prints the same fields of $plural in $groupVersion on both servers',
    async ({ plural, groupVersion, schema }) => {
      const paths = fieldPaths(schema);
      const deepest = paths.toSorted((a, b) => b.split('.').length - a.split('.').length)[0];
      const samples = new Set([deepest, paths[Math.floor(paths.length / 2)]]);
      const version = `--api-version=${groupVersion}`;
      const [all, expected] = await explained([plural, version, '--recursive']);
      expect(all).toEqual(expected);
      expect(all).toContain('apiVersion\t<string>');
      for (const path of samples) {
        if (path === undefined) continue;
        const [text, expectedText] = await explained([`${plural}.${path}`, version]);
        expect(text).toEqual(expectedText);
        expect(text).toMatch(/^GROUP: /);
      }
    },
  );
});
