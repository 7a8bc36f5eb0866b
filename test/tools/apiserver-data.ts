import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { load } from 'js-yaml';
import type { RunningControlPlane } from '../controlplane/start-control-plane.ts';
import { readGoPackage, resolveTypes, type TypeRow } from './go-types.ts';

export const apiserverDataFile = join(import.meta.dirname, '../../src/apiserver/data/kubernetes-1.36.bin');

/** By section, as they are before they are compressed. */
export type ApiserverData = Readonly<Record<string, Buffer>>;

const API_PACKAGES = [
  'admissionregistration/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1',
  'certificates/v1 coordination/v1 core/v1 discovery/v1 events/v1 flowcontrol/v1 networking/v1 node/v1 policy/v1',
  'rbac/v1 resource/v1 scheduling/v1 storage/v1',
].flatMap((line) => line.split(' '));
const MODULES = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator', 'kubernetes'] as const;
const AGGREGATION_POLL_MS = 100;
const INTERNAL_PACKAGES = ['core', 'apps', 'flowcontrol', 'networking', 'rbac', 'resource', 'storage'];
/** What refusals quote of the server's own types. */
const QUOTED = [
  'apps.DaemonSetUpdateStrategy',
  'apps.DeploymentStrategy',
  'apps.StatefulSetUpdateStrategy',
  'core.PersistentVolumeClaimSpec',
  'core.PersistentVolumeSource',
  'core.PodTemplateSpec',
  'core.ServicePort',
  'flowcontrol.FlowSchemaSpec',
  'flowcontrol.PriorityLevelConfigurationSpec',
  'networking.ServiceCIDRSpec',
  'rbac.RoleRef',
  'resource.ResourceClaimSpec',
  'resource.ResourceClaimTemplateSpec',
  'storage.VolumeAttachmentSpec',
];

/**
 * The tables of Kubernetes for the embedded server, generated from a running kube-apiserver and the Go sources of its API:
 *
 * - `resources`: discovery, aggregated and per group version
 * - `types`: the Go structs: JSON names, types, omitempty, protobuf numbers, list types, patch strategies
 * - `internalTypes`: the Go structs of the server's own that refusals quote
 * - `columns`: of the tables kubectl prints, by version and kind
 * - `access`: the roles and bindings that every cluster has from its start, aggregated by controller-manager
 * - `openapi`, `openapiProto`: /openapi/v2 in JSON and protobuf, and the documents of /openapi/v3
 *
 * Needs Go, which has the sources.
 */
export async function generateApiserverData(controlPlane: RunningControlPlane): Promise<ApiserverData> {
  const get = getter(controlPlane.kubeconfig);
  const openApi = await readOpenApi(get);
  const resources = await readResources(get);
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  return {
    resources: json(resources),
    types: json(await readTypes()),
    internalTypes: json(await readInternalTypes()),
    openapi: json({ v2: openApi.v2, v3: openApi.v3 }),
    openapiProto: openApi.v2Proto,
    columns: json(await readColumns(get, resources)),
    access: json(await readAccess(controlPlane, get)),
  };
}

/** The file: a header line of JSON ({ section: length, … }), and the sections, each compressed with brotli. */
export function packApiserverData(data: ApiserverData): Buffer {
  const sections = Object.entries(data).map(([name, bytes]) => [name, compress(bytes)] as const);
  const header = Object.fromEntries(sections.map(([name, bytes]) => [name, bytes.length]));
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...sections.map(([, bytes]) => bytes)]);
}

/** The source of a packed file. */
export function unpackApiserverData(file: Buffer): ApiserverData {
  let start = file.indexOf('\n') + 1;
  const lengths = JSON.parse(file.toString('utf8', 0, start)) as Record<string, number>;
  const sections = Object.entries(lengths).map(([name, length]) => {
    start += length;
    return [name, brotliDecompressSync(file.subarray(start - length, start))] as const;
  });
  return Object.fromEntries(sections);
}

/** As small as brotli makes it. */
export function compress(bytes: Buffer): Buffer {
  const { BROTLI_PARAM_LARGE_WINDOW, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
  return brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_LARGE_WINDOW]: 0 },
  });
}

interface Kubeconfig {
  clusters: { cluster: { server: string; 'certificate-authority': string } }[];
  users: { user: { 'client-certificate': string; 'client-key': string } }[];
}

type Get = (path: string, accept: string) => Promise<Buffer>;

function getter(kubeconfigFile: string): Get {
  const { clusters, users } = load(readFileSync(kubeconfigFile, 'utf8')) as Kubeconfig;
  const { cluster } = clusters[0]!;
  const { user } = users[0]!;
  const tls = {
    ca: readFileSync(cluster['certificate-authority']),
    cert: readFileSync(user['client-certificate']),
    key: readFileSync(user['client-key']),
  };
  return (path, accept) =>
    new Promise((resolve, reject) => {
      const call = request(new URL(path, cluster.server), { ...tls, headers: { accept } }, (response) => {
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

async function getJson(get: Get, path: string, accept = 'application/json'): Promise<Record<string, unknown>> {
  return JSON.parse((await get(path, accept)).toString()) as Record<string, unknown>;
}

type ResourceLists = Record<string, { resources: { name: string; kind: string; verbs: string[] }[] }>;

async function readResources(get: Get): Promise<Record<string, unknown> & { lists: ResourceLists }> {
  const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const [core, groups] = [await getJson(get, '/api', aggregated), await getJson(get, '/apis', aggregated)];
  const items = [core, groups].flatMap(
    ({ items }) => items as { metadata: { name?: string }; versions: { version: string }[] }[],
  );
  const lists: ResourceLists = {};
  for (const { metadata, versions } of items) {
    for (const { version } of versions) {
      const path = metadata.name === undefined ? `/api/${version}` : `/apis/${metadata.name}/${version}`;
      lists[path] = (await getJson(get, path)) as ResourceLists[string];
    }
  }
  return { core: core.items, groups: groups.items, lists, version: await getJson(get, '/version') };
}

async function readColumns(get: Get, resources: { lists: ResourceLists }): Promise<unknown> {
  const columns: Record<string, unknown> = {};
  for (const [path, list] of Object.entries(resources.lists)) {
    for (const { name, kind, verbs } of list.resources) {
      if (name.includes('/') || !verbs.includes('list')) continue;
      const table = await getJson(get, `${path}/${name}?limit=1`, 'application/json;as=Table;g=meta.k8s.io;v=v1');
      columns[`${path.replace(/^\/apis?\//, '')} ${kind}`] = table.columnDefinitions;
    }
  }
  return columns;
}

const OF_ONE_OBJECT = ['uid', 'resourceVersion', 'creationTimestamp'];

interface AccessObject {
  readonly aggregationRule?: object;
  readonly rules?: readonly object[] | null;
  readonly metadata: Record<string, unknown>;
}

async function readAccess(controlPlane: RunningControlPlane, get: Get): Promise<unknown> {
  await controlPlane.startPart('controller-manager');
  while (!(await isAggregated(get))) await delay(AGGREGATION_POLL_MS);
  const objects: unknown[] = [];
  for (const kind of ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']) {
    const list = await getJson(get, `/apis/rbac.authorization.k8s.io/v1/${kind.toLowerCase()}s`);
    for (const { metadata, ...rest } of list.items as AccessObject[]) {
      const kept = Object.entries(metadata).filter(([name]) => !OF_ONE_OBJECT.includes(name));
      const managedFields = (metadata.managedFields as object[]).map((entry) => ({ ...entry, time: undefined }));
      const { apiVersion } = list as { apiVersion: string };
      objects.push({ kind, apiVersion, metadata: { ...Object.fromEntries(kept), managedFields }, ...rest });
    }
  }
  return objects;
}

/** Whether view's rules have come to edit, and those of edit to admin. */
async function isAggregated(get: Get): Promise<boolean> {
  const { items } = await getJson(get, '/apis/rbac.authorization.k8s.io/v1/clusterroles');
  const rules = (items as AccessObject[]).flatMap(({ aggregationRule, rules }) =>
    aggregationRule === undefined ? [] : [rules ?? []],
  );
  const texts = rules.map((of) => of.map((rule) => JSON.stringify(rule)));
  const all = new Set(texts.flat());
  return texts.every((of) => of.length > 0) && texts.some((of) => of.length === all.size);
}

/** The folders of the Go modules that test/controlplane/go.mod pins. */
async function findModules(): Promise<ReadonlyMap<string, string>> {
  const cwd = join(import.meta.dirname, '..', 'controlplane');
  const args = ['mod', 'download', '-json', ...MODULES.map((name) => `k8s.io/${name}`)];
  const { stdout } = await promisify(execFile)('go', args, { cwd });
  const found = stdout.split(/(?<=^\})\n/m).filter((text) => text.trim() !== '');
  return new Map(
    found.map((text) => {
      const { Path, Dir } = JSON.parse(text) as { Path: string; Dir: string };
      return [Path, Dir];
    }),
  );
}

async function readTypes(): Promise<unknown> {
  const modules = await findModules();
  const table: Record<string, TypeRow> = {};
  const k8s = (module: (typeof MODULES)[number], folder: string) => join(modules.get(`k8s.io/${module}`)!, folder);
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

async function readInternalTypes(): Promise<unknown> {
  const folder = join((await findModules()).get('k8s.io/kubernetes')!, 'pkg/apis');
  // These are the same inside and outside.
  const table: Record<string, TypeRow> = {
    'meta/v1.ObjectMeta': { alias: 'ObjectMeta' },
    'meta/v1.LabelSelector': { alias: 'LabelSelector' },
  };
  for (const name of INTERNAL_PACKAGES) readGoPackage(join(folder, name), name, table);
  return resolveTypes(table, QUOTED);
}

async function readOpenApi(get: Get): Promise<{ v2: unknown; v2Proto: Buffer; v3: unknown }> {
  const index = (await getJson(get, '/openapi/v3')).paths as Record<string, { serverRelativeURL: string }>;
  const v3: Record<string, unknown> = {};
  for (const [path, { serverRelativeURL }] of Object.entries(index)) v3[path] = await getJson(get, serverRelativeURL);
  const v2Proto = await get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
  return { v2: await getJson(get, '/openapi/v2'), v2Proto, v3 };
}
