// Makes src/apiserver/data/kubernetes-1.36.bin from a running kube-apiserver and the Go sources of its API:
//   node test/tools/generate-apiserver-data.ts KUBECONFIG GO_MODULE_CACHE
// The file is a header line of JSON ({ section: length, … }) and the sections, each compressed with brotli:
//   resources  discovery, aggregated and per group version
//   types      the Go structs: JSON names, types, omitempty, protobuf numbers, list types, patch strategies
//   columns    of the tables kubectl prints, by version and kind
//   openapi    /openapi/v2 in JSON and protobuf and the documents of /openapi/v3
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { load } from 'js-yaml';
import { readGoPackage, resolveTypes, type TypeRow } from './go-types.ts';

const RELEASE = 'v0.36.3';
const API_PACKAGES = [
  'admissionregistration/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1',
  'certificates/v1 coordination/v1 core/v1 discovery/v1 events/v1 flowcontrol/v1 networking/v1 node/v1 policy/v1',
  'rbac/v1 resource/v1 scheduling/v1 storage/v1',
].flatMap((line) => line.split(' '));

const [kubeconfigFile = '', moduleCache = ''] = process.argv.slice(2);

interface Kubeconfig {
  clusters: { cluster: { server: string; 'certificate-authority': string } }[];
  users: { user: { 'client-certificate': string; 'client-key': string } }[];
}

const kubeconfig = load(readFileSync(kubeconfigFile, 'utf8')) as Kubeconfig;

function get(path: string, accept: string): Promise<Buffer> {
  const { cluster } = kubeconfig.clusters[0]!;
  const { user } = kubeconfig.users[0]!;
  const options = {
    ca: readFileSync(cluster['certificate-authority']),
    cert: readFileSync(user['client-certificate']),
    key: readFileSync(user['client-key']),
    headers: { accept },
  };
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, cluster.server), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks));
        else reject(new Error(`${path}: ${String(response.statusCode)}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}

async function getJson(path: string, accept = 'application/json'): Promise<Record<string, unknown>> {
  return JSON.parse((await get(path, accept)).toString()) as Record<string, unknown>;
}

type ResourceLists = Record<string, { resources: { name: string; kind: string; verbs: string[] }[] }>;

async function readResources(): Promise<Record<string, unknown> & { lists: ResourceLists }> {
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const [core, groups] = [await getJson('/api', aggregated), await getJson('/apis', aggregated)];
  const items = [core, groups].flatMap(
    ({ items }) => items as { metadata: { name?: string }; versions: { version: string }[] }[],
  );
  const lists: ResourceLists = {};
  for (const { metadata, versions } of items) {
    for (const { version } of versions) {
      const path = metadata.name === undefined ? `/api/${version}` : `/apis/${metadata.name}/${version}`;
      lists[path] = (await getJson(path)) as ResourceLists[string];
    }
  }
  return { core: core.items, groups: groups.items, lists, version: await getJson('/version') };
}

async function readColumns(resources: { lists: ResourceLists }): Promise<unknown> {
  const columns: Record<string, unknown> = {};
  for (const [path, list] of Object.entries(resources.lists)) {
    for (const { name, kind, verbs } of list.resources) {
      if (name.includes('/') || !verbs.includes('list')) continue;
      const table = await getJson(`${path}/${name}?limit=1`, 'application/json;as=Table;g=meta.k8s.io;v=v1');
      columns[`${path.replace(/^\/apis?\//, '')} ${kind}`] = table.columnDefinitions;
    }
  }
  return columns;
}

function readTypes(): unknown {
  const table: Record<string, TypeRow> = {};
  const k8s = (module: string, ...rest: string[]) => join(moduleCache, 'k8s.io', `${module}@${RELEASE}`, ...rest);
  for (const name of API_PACKAGES) readGoPackage(k8s('api', name), name, table);
  readGoPackage(k8s('apimachinery', 'pkg/apis/meta/v1'), 'meta/v1', table);
  readGoPackage(k8s('apiextensions-apiserver', 'pkg/apis/apiextensions/v1'), 'apiextensions/v1', table);
  readGoPackage(k8s('kube-aggregator', 'pkg/apis/apiregistration/v1'), 'apiregistration/v1', table);
  const roots = Object.keys(table).filter((name) => {
    const row = table[name]!;
    return 'fields' in row && row.fields.some(({ t }) => t === 'meta/v1.TypeMeta');
  });
  return resolveTypes(table, roots);
}

async function readOpenApi(): Promise<Record<string, unknown>> {
  const index = (await getJson('/openapi/v3')).paths as Record<string, { serverRelativeURL: string }>;
  const v3: Record<string, unknown> = {};
  for (const [path, { serverRelativeURL }] of Object.entries(index)) v3[path] = await getJson(serverRelativeURL);
  const v2Proto = await get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
  return { v2: await getJson('/openapi/v2'), v2Proto, v3 };
}

function compress(value: unknown): Buffer {
  const { BROTLI_PARAM_LARGE_WINDOW, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
  return brotliCompressSync(Buffer.isBuffer(value) ? value : JSON.stringify(value), {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_LARGE_WINDOW]: 0 },
  });
}

const openApi = await readOpenApi();
const resources = await readResources();
const sections = {
  resources: compress(resources),
  types: compress(readTypes()),
  openapi: compress({ v2: openApi.v2, v3: openApi.v3 }),
  openapiProto: compress(openApi.v2Proto),
  columns: compress(await readColumns(resources)),
};
const header = Object.fromEntries(Object.entries(sections).map(([name, bytes]) => [name, bytes.length]));
const target = join(dirname(fileURLToPath(import.meta.url)), '../../src/apiserver/data/kubernetes-1.36.bin');
writeFileSync(target, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...Object.values(sections)]));
console.log(header);
