import { kubernetesData } from '../data/data-file.js';
import { isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';

const LEASES = 'apis/coordination.k8s.io/v1';
const RUNTIME_CLASSES = 'apis/node.k8s.io/v1';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const API_VERSION = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
  type: 'string',
};
const KIND = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  type: 'string',
};

interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  /** `io.example.v1.Widget`. */
  readonly schemaName: string;
  readonly isNamespaced: boolean;
  readonly subresources: readonly string[];
}

/** The OpenAPI v3 document of a version of a custom resource, added to what the version already has. */
export function openApiDocument(
  definition: ApiObject,
  version: JsonObject,
  present: JsonObject | undefined,
): JsonObject {
  const kind = customKind(definition, version);
  const given = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  const template = templateOf(kind);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: { ...objectAt(present, 'paths'), ...pathsOf(kind, objectAt(template, 'paths')) },
    components: {
      schemas: {
        ...objectAt(objectAt(present, 'components'), 'schemas'),
        ...metaSchemas(template),
        [kind.schemaName]: objectSchema(kind, given),
        [`${kind.schemaName}List`]: listSchema(kind),
      },
    },
  };
}

function customKind({ spec }: ApiObject, version: JsonObject): CustomKind {
  const names = objectAt({ spec }, 'spec').names;
  const [group, kind, name] = [stringAt(spec, 'group'), stringAt(names, 'kind'), stringAt(version, 'name')];
  return {
    group,
    version: name,
    kind,
    listKind: stringAt(names, 'listKind') || `${kind}List`,
    plural: stringAt(names, 'plural'),
    schemaName: [...group.split('.').reverse(), name, kind].join('.'),
    isNamespaced: stringAt(spec, 'scope') === 'Namespaced',
    subresources: Object.keys(objectAt(version, 'subresources')).sort(),
  };
}

/** What every resource has is taken from a built-in one that has nothing more: its document, with the names changed. */
function templateOf(custom: CustomKind): JsonObject {
  const { group, version, kind, plural, schemaName, isNamespaced } = custom;
  const names: Readonly<Record<string, string>> = isNamespaced
    ? {
        'io.k8s.api.coordination.v1.Lease': schemaName,
        'coordination.k8s.io/v1': `${group}/${version}`,
        '"coordination.k8s.io"': `"${group}"`,
        'list or watch objects': 'list objects',
        coordination_v1: `${camel(group, false)}_${version}`,
        CoordinationV1: camel(group, true) + capital(version),
        leases: plural,
        Lease: kind,
      }
    : {
        'io.k8s.api.node.v1.RuntimeClass': schemaName,
        'node.k8s.io/v1': `${group}/${version}`,
        '"node.k8s.io"': `"${group}"`,
        'list or watch objects': 'list objects',
        node_v1: `${camel(group, false)}_${version}`,
        NodeV1: camel(group, true) + capital(version),
        runtimeclasses: plural,
        RuntimeClass: kind,
      };
  const text = JSON.stringify(kubernetesData.openApi.v3[isNamespaced ? LEASES : RUNTIME_CLASSES]);
  const pattern = new RegExp(Object.keys(names).join('|').replaceAll('.', '\\.'), 'g');
  return JSON.parse(text.replaceAll(pattern, (found) => names[found] ?? found)) as JsonObject;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `stable.example.com` → `stableExampleCom`, without Kubernetes' own suffix. */
function camel(group: string, isCapital: boolean): string {
  const [first = '', ...rest] = group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  return (isCapital ? capital(first) : first) + rest.map(capital).join('');
}

function pathsOf({ group, version, plural, subresources }: CustomKind, paths: JsonObject): JsonObject {
  const prefix = `/apis/${group}/${version}/`;
  const result: JsonObject = {};
  for (const [path, item] of Object.entries(paths)) {
    if (path === prefix || path.startsWith(`${prefix}watch/`) || !isJsonObject(item)) continue;
    result[path] = withoutBinary(item);
    if (!path.endsWith(`${plural}/{name}`)) continue;
    const { get, put, patch, parameters } = item;
    for (const name of subresources) result[`${path}/${name}`] = withoutBinary({ get, put, patch, parameters });
  }
  return result;
}

/** Custom resources are spoken of in JSON and YAML alone, and have no strategic merge patch. */
function withoutBinary(item: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(item), (key, value: unknown) =>
    key.startsWith('application/') && /protobuf|cbor|stream|strategic/.test(key) ? undefined : value,
  ) as JsonObject;
}

function metaSchemas(template: JsonObject): JsonObject {
  const schemas = Object.entries(objectAt(objectAt(template, 'components'), 'schemas'));
  const isMeta = (name: string): boolean => name.startsWith(META) && !/(APIResource|MicroTime|WatchEvent)/.test(name);
  return Object.fromEntries(schemas.filter(([name]) => isMeta(name)));
}

function objectSchema({ group, version, kind }: CustomKind, given: JsonObject): JsonObject {
  const metadata = {
    description: `Standard object's metadata. More info: ${CONVENTIONS}#metadata`,
    allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }],
  };
  return {
    type: 'object',
    ...given,
    properties: { ...objectAt(given, 'properties'), apiVersion: API_VERSION, kind: KIND, metadata },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  };
}

function listSchema({ group, version, kind, listKind, plural, schemaName }: CustomKind): JsonObject {
  const metadata = {
    description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`,
    allOf: [{ $ref: `#/components/schemas/${META}.ListMeta` }],
  };
  const items = {
    description: `List of ${plural}. More info: ${CONVENTIONS}`,
    type: 'array',
    items: { allOf: [{ $ref: `#/components/schemas/${schemaName}` }] },
  };
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: { apiVersion: API_VERSION, items, kind: KIND, metadata },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
}
