import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { parseJson, stringifyJson } from '../../base/json.js';
import type { KeptValues } from './convert-by-steps.js';

/** Holds, by version and path, the values of fields that exist only in that version. */
const KEPT_ANNOTATION = 'kindwright.dev/kept';

type KeptByVersion = Readonly<Record<string, KeptValues>>;

/** Reads the annotation of an object; empty if the object does not have it or its text is not valid. */
export function readKept(object: JsonObject): KeptByVersion {
  const text = objectAt(objectAt(object, 'metadata'), 'annotations')[KEPT_ANNOTATION];
  if (typeof text !== 'string') return {};
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(isEntry)) : {};
  } catch {
    return {};
  }
}

function isEntry(entry: [string, unknown]): entry is [string, KeptValues] {
  return isJsonObject(entry[1]);
}

/** Returns the object with the given values in its annotation; removes the annotation if there are no values. */
export function withKept(object: JsonObject, kept: KeptByVersion): JsonObject {
  const versions = Object.entries(kept).filter(([, values]) => Object.keys(values).length > 0);
  const metadata = objectAt(object, 'metadata');
  const annotated = objectAt(metadata, 'annotations');
  if (versions.length === 0 && annotated[KEPT_ANNOTATION] === undefined) return object;
  const { [KEPT_ANNOTATION]: _former, ...others } = annotated;
  const sorted = versions.sort(([a], [b]) => (a < b ? -1 : 1));
  const annotations =
    versions.length === 0 ? others : { ...others, [KEPT_ANNOTATION]: stringifyJson(Object.fromEntries(sorted)) };
  const { annotations: _, ...rest } = metadata;
  return { ...object, metadata: Object.keys(annotations).length === 0 ? rest : { ...rest, annotations } };
}
