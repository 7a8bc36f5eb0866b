import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  textOf,
  without,
  valueAt,
} from '../objects/api-object.js';
import type { Codec, Resource, Subresource, ScalePaths } from '../resources/resource.js';
import type { WebhookClient } from '../remote/webhook-client.js';
import { DecodeReport } from '../schema/decode-report.js';
import { WebhookConversion } from './webhook-conversion.js';
import type { TableColumn } from '../table/table-column.js';
import { compileJsonPath } from '../../crd/json-path/compile-json-path.js';
import { prune, pruneNulls } from '../../crd/schema/prune.js';
import { applyStructuralDefaults } from '../../crd/schema/structural-defaults.js';
import { customConversion } from './custom-conversion.js';
import { CustomFieldVersions } from './custom-field-versions.js';
import { customStrategy } from './custom-strategy.js';
import { decodeMetadata } from './decode-metadata.js';
import { EmbeddedResources } from './embedded-resources.js';
import { printerColumns } from './printer-columns.js';
import { structuralMergeType } from './structural-merge-type.js';
import { compareVersions } from './version-priority.js';
import type { Check } from '../../crd/schema/compiled-check.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = new Set(['get', 'patch', 'update']);

/** The dependencies of a custom resource. */
export interface CustomResourceOptions {
  /** Calls conversion webhooks; undefined where objects of other versions are not converted. */
  readonly webhooks: WebhookClient | undefined;
  /** Objects that were stored under earlier schemas. */
  readonly inherited: WeakSet<ApiObject>;
  /** A faster validation of the same schema; the slow one runs only if it fails. */
  readonly check?: Check | undefined;
}

/** Creates the resource of one version of a CustomResourceDefinition. */
export function customResource(
  definition: ApiObject,
  versionSpec: JsonObject,
  { webhooks, inherited, check }: CustomResourceOptions,
): Resource {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  const [group, version, plural, kind] = [
    stringAt(spec, 'group'),
    stringAt(versionSpec, 'name'),
    stringAt(names, 'plural'),
    stringAt(names, 'kind'),
  ];
  const apiVersion = `${group}/${version}`;
  const storageVersion = eachObject(spec.versions).find(({ storage }) => storage === true);
  const schema = objectAt(versionSpec, 'schema').openAPIV3Schema as StructuralSchema;
  const subresources = objectAt(versionSpec, 'subresources');
  const scale = customScale(spec, versionSpec);
  const hasStatus = isJsonObject(subresources.status);
  const deprecation = stringAt(versionSpec, 'deprecationWarning') || deprecationWarning(spec, version);
  const webhook = WebhookConversion.of(definition, webhooks);
  let fieldVersions: CustomFieldVersions | undefined; // created on the first write with managedFields
  let columns: readonly TableColumn[] | undefined; // parsed on the first table request
  return {
    group,
    version,
    storageVersion: stringAt(storageVersion, 'name'),
    apiVersion,
    plural,
    singular: stringAt(names, 'singular'),
    kind,
    listKind: stringAt(names, 'listKind'),
    namespaced: spec.scope === 'Namespaced',
    verbs: new Set(VERBS),
    shortNames: (names.shortNames as string[] | undefined) ?? [],
    categories: (names.categories as string[] | undefined) ?? [],
    subresources: new Map([
      ...(hasStatus ? [['status', subresource('status', kind, group, version)] as const] : []),
      ...(scale ? [['scale', subresource('scale', 'Scale', 'autoscaling', 'v1')] as const] : []),
    ]),
    storage: `${plural}.${group}`,
    codec: {
      ...customCodec(schema, apiVersion, kind, (version) => schemaOf(spec, version)),
      ...customConversion(definition, { apiVersion, schema, webhook, inherited }),
      fieldVersions: (calls) => (fieldVersions ??= new CustomFieldVersions(definition, webhook)).forWrite(calls),
    },
    strategy: customStrategy({ kind, apiVersion, group, plural }, { schema, scale, check }),
    selectableFields: new Map(
      eachObject(versionSpec.selectableFields).map(({ jsonPath }) => selectableField(String(jsonPath))),
    ),
    get columns() {
      return (columns ??= printerColumns(versionSpec));
    },
    ...(scale && { scale }),
    isCustom: true,
    hasStatus,
    deprecationWarning: versionSpec.deprecated === true ? deprecation : undefined,
  };
}

/** Returns the warning of a deprecated version; suggests the preferred one of the newer versions. */
function deprecationWarning(spec: JsonObject, version: string): string {
  const [group, kind] = [stringAt(spec, 'group'), stringAt(spec.names, 'kind')];
  const [better] = eachObject(spec.versions)
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map(({ name }) => String(name))
    .filter((name) => compareVersions(name, version) < 0)
    .sort(compareVersions);
  const deprecation = `${group}/${version} ${kind} is deprecated`;
  return better === undefined ? deprecation : `${deprecation}; use ${group}/${better} ${kind}`;
}

function subresource(name: string, kind: string, group: string, version: string): Subresource {
  return { name, kind, group, version, verbs: SUBRESOURCE_VERBS };
}

function customCodec(
  schema: StructuralSchema,
  apiVersion: string,
  kind: string,
  schemaOfVersion: (version: string) => StructuralSchema,
): Omit<Codec, 'fieldVersions' | 'fromStorage' | 'toStorage'> {
  const mergeType = structuralMergeType(schema);
  const embedded = EmbeddedResources.of(schema);
  return {
    decode(value: JsonObject, report: DecodeReport): ApiObject {
      const { metadata, ...rest } = without(value, 'apiVersion', 'kind');
      const meta = decodeMetadata(metadata, report);
      // An object of another kind is rejected later; its fields are not decoded with this schema.
      const given = { apiVersion: stringAt(value, 'apiVersion'), kind: stringAt(value, 'kind') };
      const [group = '', version = ''] = given.apiVersion.split('/');
      if (given.kind !== kind || group !== apiVersion.split('/')[0]) return { ...given, metadata: meta, ...rest };
      const isOwn = given.apiVersion === apiVersion;
      const own = new DecodeReport(true);
      const body = prune(isOwn ? schema : schemaOfVersion(version), rest, own, '', true) as JsonObject;
      report.problems.push(...own.problems.sort());
      if (!isOwn) return { ...given, metadata: meta, ...body };
      pruneNulls(schema, body);
      embedded.coerce(body, report);
      return { apiVersion, kind, metadata: meta, ...body };
    },
    convert({ metadata, ...rest }) {
      const given = objectAt({ metadata }, 'metadata');
      const empty = Object.fromEntries(
        EMPTIED.filter((name) => isEmpty(given[name])).map((name) => [name, given[name]]),
      );
      return {
        apiVersion,
        kind,
        ...(prune(schema, rest, new DecodeReport(), '', true) as JsonObject),
        metadata: { ...decodeMetadata(metadata, new DecodeReport()), ...empty },
      };
    },
    encode: (object) => object,
    settle({ metadata, ...rest }) {
      const empty = EMPTIED.filter((name) => isEmpty(metadata[name]));
      const { status } = schema.properties ?? {};
      // Other nulls of fields that are not nullable have been removed before.
      const isNoStatus = rest.status === null && status !== undefined && status.nullable !== true;
      return {
        ...(isNoStatus ? without(rest, 'status') : rest),
        metadata: empty.length === 0 ? metadata : without(metadata, ...empty),
      } as ApiObject;
    },
    applyDefaults: (object) => {
      if (object.kind === kind && object.apiVersion === apiVersion) applyStructuralDefaults(schema, object);
    },
    mergeType,
    empty: () => ({ apiVersion, kind }),
    bookmark: () => ({ apiVersion, kind }),
    hasTypedItems: true,
  };
}

/** Metadata that may be applied empty or null and is absent once it is stored. */
const EMPTIED = ['labels', 'annotations'] as const;

function isEmpty(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Returns the schema of a version; an empty one for an unknown version. */
function schemaOf(spec: JsonObject, version: string): StructuralSchema {
  const found = eachObject(spec.versions).find(({ name }) => name === version);
  return (objectAt(found, 'schema').openAPIV3Schema as StructuralSchema | undefined) ?? {};
}

function selectableField(path: string): [string, (object: ApiObject) => string] {
  const read = compileJsonPath(path);
  return [path.replace(/^\./, ''), (object) => textOf(read?.(object)[0] ?? '')];
}

/** Returns the scale paths of a version of a custom resource; undefined if it has no scale subresource. */
function customScale(spec: JsonObject, version: JsonObject): ScalePaths | undefined {
  const scale = scaleIn(version);
  if (!scale) return undefined;
  const selectorPath = stringAt(scale, 'labelSelectorPath') === '' ? undefined : path(scale, 'labelSelectorPath');
  return {
    specReplicas: path(scale, 'specReplicasPath'),
    replicasIn: replicasIn(spec),
    statusReplicas: path(scale, 'statusReplicasPath'),
    ...(selectorPath && { selectorPath }),
    selector: (object) => (selectorPath ? textOf(valueAt(object, selectorPath) ?? '') : ''),
  };
}

function replicasIn(spec: JsonObject): ScalePaths['replicasIn'] {
  const group = stringAt(spec, 'group');
  const paths = new Map(
    eachObject(spec.versions).map((version) => {
      const scale = scaleIn(version);
      return [`${group}/${stringAt(version, 'name')}`, scale ? path(scale, 'specReplicasPath') : null];
    }),
  );
  return (apiVersion) => paths.get(apiVersion);
}

function scaleIn(version: JsonObject): JsonObject | undefined {
  const { scale } = objectAt(version, 'subresources');
  return isJsonObject(scale) ? scale : undefined;
}

function path(scale: JsonObject, key: string): string[] {
  return stringAt(scale, key).split('.').slice(1);
}
