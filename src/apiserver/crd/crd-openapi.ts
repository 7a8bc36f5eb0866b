import { stringifyJson } from '../../base/json.js';
import type { OpenApiParts, OpenApiVersion, PublishedVersion } from '../discovery/published-version.js';
import {
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import { customPaths, type PathOwner } from './crd-openapi-paths.js';
import { metadataReference, publishedSchema } from './published-schema.js';

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
  readonly listKind: string;
}

/** Describes a served version of a custom resource to OpenAPI. The definition must have its accepted names. */
export function publishedVersion(definition: ApiObject, version: JsonObject): PublishedVersion {
  const kind = customKind(definition, version);
  const { uid = '', generation = 0 } = definition.metadata;
  const names = JSON.stringify(objectAt(objectAt(definition, 'spec'), 'names'));
  const built: Partial<Record<OpenApiVersion, OpenApiParts>> = {};
  return {
    document: `apis/${kind.group}/${kind.version}`,
    revision: `${uid}/${generation}/${kind.version}/${names}`,
    hasScale: kind.subresources.includes('scale'),
    isBuilt: (openApi) => built[openApi] !== undefined,
    parts: (openApi) => (built[openApi] ??= partsOf(kind, version, openApi)),
  };
}

function partsOf(kind: CustomKind, version: JsonObject, openApi: OpenApiVersion): OpenApiParts {
  const given = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  const fields = selectableFields(version);
  const schemas = stringifyJson({
    [kind.schemaName]: { ...objectSchema(kind, given, openApi), ...fields },
    [kind.listSchemaName]: { ...listSchema(kind, openApi), ...fields },
  });
  return { paths: Buffer.from(customPaths(kind, openApi)), schemas: Buffer.from(schemas.slice(1, -1)) };
}

function customKind({ spec }: ApiObject, version: JsonObject): CustomKind {
  const { names } = objectAt({ spec }, 'spec');
  const [group, kind, name] = [stringAt(spec, 'group'), stringAt(names, 'kind'), stringAt(version, 'name')];
  const listKind = stringAt(names, 'listKind') || `${kind}List`;
  const prefix = [...group.split('.').reverse(), name].join('.');
  return {
    group,
    version: name,
    kind,
    listKind,
    plural: stringAt(names, 'plural'),
    schemaName: `${prefix}.${kind}`,
    listSchemaName: `${prefix}.${listKind}`,
    isNamespaced: stringAt(spec, 'scope') === 'Namespaced',
    subresources: Object.entries(objectAt(version, 'subresources'))
      .filter(([, value]) => isJsonObject(value))
      .map(([key]) => key),
  };
}

function objectSchema({ group, version, kind }: CustomKind, given: JsonObject, openApi: OpenApiVersion): JsonObject {
  const kinds = { [KINDS]: [{ group, kind, version }] };
  // With properties, kubectl would reject unknown fields.
  if (openApi === 'v2' && given['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object', ...kinds };
  const schema = publishedSchema(given, openApi);
  const type = { apiVersion: API_VERSION, kind: KIND, metadata: metadataReference(openApi, 'ObjectMeta') };
  return { type: 'object', ...schema, properties: { ...objectAt(schema, 'properties'), ...type }, ...kinds };
}

/** Returns the extension that lists the selectable fields. */
function selectableFields({ selectableFields: given }: JsonObject): JsonObject {
  const fields = eachObject(given).map(({ jsonPath }) => ({ fieldPath: String(jsonPath).replace(/^\./, '') }));
  return fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields };
}

function listSchema(
  { group, version, kind, listKind, plural, schemaName }: CustomKind,
  openApi: OpenApiVersion,
): JsonObject {
  const metadata = metadataReference(openApi, 'ListMeta');
  const items = {
    description: `List of ${plural}. More info: ${CONVENTIONS}`,
    type: 'array',
    items: { $ref: `${openApi === 'v2' ? '#/definitions/' : '#/components/schemas/'}${schemaName}` },
  };
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: { apiVersion: API_VERSION, items, kind: KIND, metadata },
    [KINDS]: [{ group, kind: listKind, version }],
  };
}
