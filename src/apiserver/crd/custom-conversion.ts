import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { stringifyJson } from '../../base/json.js';
import { prune } from '../../crd/schema/prune.js';
import { applyStructuralDefaults } from '../../crd/schema/structural-defaults.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';
import { eachObject, objectAt, stringAt, without, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Codec } from '../resources/resource.js';
import { DecodeReport } from '../schema/decode-report.js';
import { EmbeddedResources } from './embedded-resources.js';
import { VersionConverter } from './version-converter.js';
import type { WebhookConversion } from './webhook-conversion.js';

type Conversion = Pick<Codec, 'fromStorage' | 'toStorage' | 'prepare'>;

export interface CustomConversionOptions {
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
  /** Undefined when versions differ only in their schemas. */
  readonly webhook: WebhookConversion | undefined;
  /** Objects that were stored under earlier schemas. */
  readonly inherited: WeakSet<ApiObject>;
}

/**
 * Converts objects between a version of a definition and the stored form. Defaults are those of the storage version,
 * whichever version is read.
 */
export function customConversion({ spec }: ApiObject, options: CustomConversionOptions): Conversion {
  const { apiVersion, schema, webhook, inherited } = options;
  const group = stringAt(spec, 'group');
  const versions = eachObject(objectAt({ spec }, 'spec').versions);
  const restorers = new Map<string, (object: ApiObject) => ApiObject>();
  const restored = (object: ApiObject): ApiObject => {
    let restore = restorers.get(object.apiVersion);
    if (!restore) {
      const own = versions.find(({ name }) => `${group}/${String(name)}` === object.apiVersion);
      restore = own ? restorer(schemaOf(own), inherited) : (same) => same;
      restorers.set(object.apiVersion, restore);
    }
    return restore(object);
  };
  const storage = versions.find((version) => version.storage === true) ?? {};
  const storedVersion = `${group}/${stringAt(storage, 'name')}`;
  const asStored = (object: ApiObject): ApiObject => {
    const stored = pruned(schemaOf(storage), object, storedVersion);
    applyStructuralDefaults(schemaOf(storage), stored);
    return stored;
  };
  if (webhook) {
    const converter = new VersionConverter(webhook, apiVersion, storedVersion, (object) =>
      pruned(schema, object, apiVersion),
    );
    return {
      fromStorage: (object) => (object.apiVersion === apiVersion ? restored(object) : converter.fromStorage(object)),
      toStorage: (object, calls) =>
        object.apiVersion === storedVersion ? object : asStored(converter.toStorage(object, calls)),
      prepare: (objects) => converter.prepare(objects),
    };
  }
  return {
    fromStorage: (object) =>
      object.apiVersion === apiVersion ? restored(object) : pruned(schema, restored(object), apiVersion),
    toStorage: (object) => (object.apiVersion === storedVersion ? object : asStored(object)),
  };
}

function schemaOf(version: JsonObject): StructuralSchema {
  return objectAt(version, 'schema').openAPIV3Schema as StructuralSchema;
}

/**
 * Applies defaults to stored objects, and prunes those stored under an earlier schema. Results are cached, as stored
 * objects never change.
 */
function restorer(schema: StructuralSchema, inherited: WeakSet<ApiObject>): (object: ApiObject) => ApiObject {
  const hasDefaults = stringifyJson(schema).includes('"default":');
  const known = new WeakMap<ApiObject, ApiObject>();
  return (object) => {
    const isInherited = inherited.has(object);
    if (!hasDefaults && !isInherited) return object;
    let result = known.get(object);
    if (result) return result;
    result = isInherited ? pruned(schema, deepClone(object), object.apiVersion) : deepClone(object);
    applyStructuralDefaults(schema, result);
    if (deepEqual(result, object)) result = object;
    known.set(object, result);
    return result;
  };
}

/** Returns the object with another apiVersion, without the fields that the schema of that version lacks. */
function pruned(schema: StructuralSchema, object: ApiObject, apiVersion: string): ApiObject {
  const { metadata, kind } = object;
  const rest = without(object, 'apiVersion', 'kind', 'metadata');
  const body = prune(schema, rest, new DecodeReport(), '', true) as JsonObject;
  EmbeddedResources.of(schema).restore(body);
  return { apiVersion, kind, metadata, ...body };
}
