import { kubernetesData } from '../data/data-file.js';
import type { OpenApiVersion } from '../discovery/published-version.js';
import { swaggerPaths } from '../discovery/swagger-paths.js';
import { eachObject, isJsonObject, objectAt, type JsonObject } from '../objects/api-object.js';

const KIND = 'x-kubernetes-group-version-kind';
const SCALE = '#/components/schemas/io.k8s.api.autoscaling.v1.Scale';
const LEASES = 'apis/coordination.k8s.io/v1';
const RUNTIME_CLASSES = 'apis/node.k8s.io/v1';
const SUBRESOURCES = ['scale', 'status'] as const;

/** The names that paths are generated for. */
export interface PathOwner {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** For example `io.example.v1.Widget`. */
  readonly schemaName: string;
  readonly listSchemaName: string;
  readonly isNamespaced: boolean;
  readonly subresources: readonly string[];
}

/** Members of `paths` as JSON, with placeholders for the names of a kind. */
type PathTemplate = Readonly<Record<'own' | (typeof SUBRESOURCES)[number], string>>;

const templates = new Map<string, PathTemplate>();

/** Returns the paths of a custom resource: the members of a JSON object. */
export function customPaths(owner: PathOwner, openApi: OpenApiVersion): string {
  const { group, version, kind, isNamespaced, subresources } = owner;
  const key = `${openApi} ${isNamespaced ? 'namespaced' : 'cluster'}`;
  let template = templates.get(key);
  if (!template) templates.set(key, (template = pathTemplate(isNamespaced, openApi)));
  const values: Readonly<Record<string, string>> = {
    ...{ group, version, kind, plural: owner.plural, schema: owner.schemaName, list: owner.listSchemaName },
    article: articleOf(kind),
    camel: camel(group, false),
    Camel: camel(group, true),
    Version: capital(version),
  };
  const { own } = template;
  const parts = [own, ...SUBRESOURCES.filter((name) => subresources.includes(name)).map((name) => template[name])];
  return parts.join(',').replaceAll(/§(\w+)§/g, (_, name: string) => values[name] ?? '');
}

/** Returns the article and the space before a kind: GetArticleForNoun of apiserver. */
function articleOf(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return '';
  return /^[aeiou]/i.test(kind) ? 'an ' : 'a ';
}

/**
 * Builds the paths from those of a built-in resource without special features: `own` for the resource itself, the
 * others for its subresources.
 */
function pathTemplate(isNamespaced: boolean, openApi: OpenApiVersion): PathTemplate {
  const paths = renamedPaths(isNamespaced);
  const text = (members: JsonObject): string => {
    const shown = openApi === 'v3' ? members : swaggerPaths(members, objectAt(kubernetesData.openApi.v2, 'parameters'));
    return JSON.stringify(shown).slice(1, -1);
  };
  const own: JsonObject = {};
  const below = { scale: {} as JsonObject, status: {} as JsonObject };
  for (const [path, item] of Object.entries(paths)) {
    if (path === PREFIX || path.startsWith(`${PREFIX}watch/`) || !isJsonObject(item)) continue;
    own[path] = customItem(item);
    if (!path.endsWith('§plural§/{name}')) continue;
    for (const name of SUBRESOURCES) below[name][`${path}/${name}`] = subresourceItem(customItem(item), name);
  }
  return { own: text(own), scale: text(below.scale), status: text(below.status) };
}

const PREFIX = '/apis/§group§/§version§/';

/** Returns the paths of a built-in resource with placeholders for its names. */
function renamedPaths(isNamespaced: boolean): JsonObject {
  const [kind, plural, schema, group, camelGroup] = isNamespaced
    ? ['Lease', 'leases', 'io.k8s.api.coordination.v1.Lease', 'coordination.k8s.io', 'coordination']
    : ['RuntimeClass', 'runtimeclasses', 'io.k8s.api.node.v1.RuntimeClass', 'node.k8s.io', 'node'];
  const names: Readonly<Record<string, string>> = {
    [`${schema}List`]: '§list§',
    [schema]: '§schema§',
    [`${group}/v1`]: '§group§/§version§',
    [`"${group}"`]: '"§group§"',
    'list or watch objects': 'list objects',
    [`${camelGroup}_v1`]: '§camel§_§version§',
    [`${capital(camelGroup)}V1`]: '§Camel§§Version§',
    [`a ${kind}`]: '§article§§kind§',
    [plural]: '§plural§',
    [kind]: '§kind§',
  };
  const text = JSON.stringify(kubernetesData.openApi.v3[isNamespaced ? LEASES : RUNTIME_CLASSES]?.paths);
  const pattern = new RegExp(Object.keys(names).join('|').replaceAll('.', '\\.'), 'g');
  return JSON.parse(text.replaceAll(pattern, (found) => names[found] ?? found)) as JsonObject;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Converts a group: `stable.example.com` → `stableExampleCom`, without the suffix of Kubernetes' groups. */
function camel(group: string, isCapital: boolean): string {
  const [first = '', ...rest] = group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  return (isCapital ? capital(first) : first) + rest.map(capital).join('');
}

/**
 * Adapts the parameters: for collections, `delete` has those of `get`; single objects can be read with a
 * resourceVersion.
 */
function customItem(given: JsonObject): JsonObject {
  const item = withoutBinary(given);
  for (const operation of eachObject(Object.values(item))) {
    const kind = operation[KIND];
    if (isJsonObject(kind)) kind.version = '§version§';
  }
  const { get, delete: remove, patch } = item;
  if (isJsonObject(patch) && isJsonObject(patch.responses)) Reflect.deleteProperty(patch.responses, '201');
  if (isJsonObject(get) && isJsonObject(remove) && remove['x-kubernetes-action'] === 'deletecollection') {
    Reflect.deleteProperty(remove, 'requestBody');
    remove.parameters = get.parameters;
  }
  if (isJsonObject(get) && get['x-kubernetes-action'] === 'get') get.parameters = [RESOURCE_VERSION];
  return item;
}

const RESOURCE_VERSION = {
  name: 'resourceVersion',
  in: 'query',
  description:
    'resourceVersion sets a constraint on what resource versions a request may be served from. See https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions for details.\n\nDefaults to unset',
  schema: { type: 'string', uniqueItems: true },
};

function subresourceItem({ get, put, patch, parameters }: JsonObject, name: string): JsonObject {
  const item: JsonObject = { get, put, patch, parameters };
  for (const operation of eachObject([get, put, patch])) {
    operation.operationId = `${String(operation.operationId)}${capital(name)}`;
    operation.description = String(operation.description).replace('the specified', `${name} of the specified`);
  }
  if (name !== 'scale') return item;
  const text = JSON.stringify(item).replaceAll('"#/components/schemas/§schema§"', `"${SCALE}"`);
  return JSON.parse(text) as JsonObject;
}

/** Removes protobuf and strategic merge patch, which custom resources do not support. */
function withoutBinary(item: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(item), (key, value: unknown) => {
    if (key.startsWith('application/') && /protobuf|cbor|stream|strategic/.test(key)) return undefined;
    if (!isJsonObject(value) || value['*/*'] === undefined) return value;
    const { '*/*': any, ...rest } = value;
    return { ...rest, 'application/json': any, 'application/yaml': any };
  }) as JsonObject;
}
