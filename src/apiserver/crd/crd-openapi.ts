import { kubernetesData } from '../data/data-file.js';
import { eachObject } from '../objects/api-object.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { customPaths, type PathOwner } from './crd-openapi-paths.js';

const LEASES = 'apis/coordination.k8s.io/v1';
const RUNTIME_CLASSES = 'apis/node.k8s.io/v1';
const APPS = 'apis/apps/v1';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const DELETE_OPTIONS = `${META}.DeleteOptions`;
const KINDS = 'x-kubernetes-group-version-kind';
const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const API_VERSION = {
  description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
  type: 'string',
};
const KIND = {
  description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  type: 'string',
};

interface CustomKind extends PathOwner {
  readonly kind: string;
  readonly listKind: string;
  readonly isNamespaced: boolean;
}

/** Generates the OpenAPI v3 document of a version of a custom resource, merged into the document of the version. */
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
    paths: { ...objectAt(present, 'paths'), ...customPaths(kind, objectAt(template, 'paths')) },
    components: {
      schemas: {
        ...objectAt(objectAt(present, 'components'), 'schemas'),
        ...metaSchemas(template),
        ...(kind.subresources.includes('scale') && scaleSchemas()),
        [kind.schemaName]: { ...objectSchema(kind, given), ...selectableFields(version) },
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

/**
 * Renames the document of a built-in resource without special features to the custom kind, for the parts that all
 * resources share.
 */
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

/** Converts a group: `stable.example.com` → `stableExampleCom`, without the suffix of Kubernetes' groups. */
function camel(group: string, isCapital: boolean): string {
  const [first = '', ...rest] = group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  return (isCapital ? capital(first) : first) + rest.map(capital).join('');
}

/** Returns the shared schemas of apimachinery from the document that contains most of them. */
function metaSchemas(template: JsonObject): JsonObject {
  const schemas = Object.entries(objectAt(objectAt(template, 'components'), 'schemas'));
  const isMeta = (name: string): boolean => name.startsWith(META) && !/(APIResource|MicroTime|WatchEvent)/.test(name);
  const found = Object.fromEntries(schemas.filter(([name]) => isMeta(name)));
  const options = objectAt(found, DELETE_OPTIONS);
  return { ...found, [DELETE_OPTIONS]: { ...options, [KINDS]: deleteOptionsKinds() } };
}

/** Groups that the server of custom resources does not include. */
const ELSEWHERE = /^(admission|apiextensions|apiregistration|imagepolicy)\.k8s\.io$/;

function deleteOptionsKinds(): JsonObject[] {
  const definition = objectAt(objectAt(kubernetesData.openApi.v2, 'definitions'), DELETE_OPTIONS);
  return eachObject(definition[KINDS]).filter(({ group }) => !ELSEWHERE.test(String(group)));
}

function scaleSchemas(): JsonObject {
  const { components } = kubernetesData.openApi.v3[APPS] ?? {};
  const schemas = Object.entries(objectAt(objectAt({ components }, 'components'), 'schemas'));
  return Object.fromEntries(
    schemas.filter(([name]) => /^io\.k8s\.api\.autoscaling\.v1\.Scale(Spec|Status)?$/.test(name)),
  );
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

/** Returns the extension that lists the selectable fields. */
function selectableFields({ selectableFields: given }: JsonObject): JsonObject {
  const fields = eachObject(given).map(({ jsonPath }) => ({ fieldPath: String(jsonPath).replace(/^\./, '') }));
  return fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields };
}

function listSchema({ group, version, kind, listKind, plural, schemaName }: CustomKind): JsonObject {
  const metadata = {
    description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`,
    allOf: [{ $ref: `#/components/schemas/${META}.ListMeta` }],
  };
  const items = {
    description: `List of ${plural}. More info: ${CONVENTIONS}`,
    type: 'array',
    items: { $ref: `#/components/schemas/${schemaName}` },
  };
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: { apiVersion: API_VERSION, items, kind: KIND, metadata },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
  };
}
