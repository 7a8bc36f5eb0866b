import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { parseJson, stringifyJson } from '../../base/json.js';
import type { KeptValues } from './convert-by-steps.js';

/** Holds, by version and path, the values of fields that exist only in that version. */
const KEPT_ANNOTATION = 'kindwright.dev/kept';

/** The limit of the API server for all annotations of an object, keys included. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

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

/**
 * Returns the object with the given values in its annotation; removes the annotation if there are no values.
 *
 * @throws RangeError if the values do not fit into an annotation; names the largest.
 */
export function withKept(object: JsonObject, kept: KeptByVersion): JsonObject {
  const versions = Object.entries(kept).filter(([, values]) => Object.keys(values).length > 0);
  const metadata = objectAt(object, 'metadata');
  const annotated = objectAt(metadata, 'annotations');
  if (versions.length === 0 && annotated[KEPT_ANNOTATION] === undefined) return object;
  const { [KEPT_ANNOTATION]: _former, ...others } = annotated;
  const sorted = versions.sort(([a], [b]) => (a < b ? -1 : 1));
  const annotations =
    versions.length === 0 ? others : { ...others, [KEPT_ANNOTATION]: stringifyJson(Object.fromEntries(sorted)) };
  if (versions.length > 0) assertFits(annotations, versions);
  const { annotations: _, ...rest } = metadata;
  return { ...object, metadata: Object.keys(annotations).length === 0 ? rest : { ...rest, annotations } };
}

function assertFits(annotations: JsonObject, versions: readonly (readonly [string, KeptValues])[]): void {
  let total = 0;
  for (const [key, value] of Object.entries(annotations)) total += Buffer.byteLength(key + String(value));
  if (total <= MAX_ANNOTATION_BYTES) return;
  const sizes = versions
    .flatMap(([, values]) => Object.entries(values))
    .map(([path, value]) => [path, Buffer.byteLength(stringifyJson(value))] as const);
  const [path, bytes] = sizes.reduce((largest, next) => (next[1] > largest[1] ? next : largest), ['', 0]);
  throw new RangeError(
    `${path}: keep needs ${bytes} bytes, but annotations of an object are limited to ${MAX_ANNOTATION_BYTES} bytes`,
  );
}
