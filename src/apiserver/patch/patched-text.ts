import { isJsonObject, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { JsonPatchOperation } from './json-patch-operations.js';
import { DecodeReport } from '../schema/decode-report.js';

/**
 * Returns the patched object with the member order of the real server's error messages: objects that the patch
 * traversed are sorted by the patch library, all others keep the encoder's order.
 */
export function goOrder({ codec, isCustom }: Resource, old: ApiObject, patched: JsonObject, touched: unknown): unknown {
  if (isCustom) return allSorted(patched);
  const encoded = codec.decode(old, new DecodeReport());
  return ordered(patched, encoded, touched);
}

function ordered(value: unknown, encoded: unknown, touched: unknown): unknown {
  if (isJsonObject(touched) && !Array.isArray(value)) return sorted(value, touched, encoded);
  // Nulls in new lists have been removed, which sorts their objects.
  if (Array.isArray(touched) && !isJsonObject(encoded)) return allSorted(value);
  if (Array.isArray(value)) {
    const former = Array.isArray(encoded) ? (encoded as unknown[]) : [];
    const items = isJsonObject(touched) ? touched : {};
    return (value as unknown[]).map((item, index) => ordered(item, former[index], items[String(index)]));
  }
  if (!isJsonObject(value) || !isJsonObject(encoded)) return value;
  const names = [...new Set([...Object.keys(encoded), ...Object.keys(value)])].filter((name) => name in value);
  return Object.fromEntries(names.map((name) => [name, ordered(value[name], encoded[name], undefined)]));
}

function sorted(value: unknown, touched: unknown, encoded?: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(touched)) return value;
  const former = isJsonObject(encoded) ? encoded : {};
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name], former[name], touched[name])]));
}

/** Sorts all objects: the real server handles custom resources as maps, which are encoded in order. */
function allSorted(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(allSorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, allSorted(value[name])]));
}

/** Returns the objects that JSON patch operations traverse, in the form of a merge patch. */
export function touchedByOperations(operations: readonly JsonPatchOperation[]): JsonObject {
  const touched: JsonObject = {};
  for (const { path = '' } of operations) {
    let node = touched;
    for (const part of path.split('/').slice(1, -1)) node = (node[part] ??= {}) as JsonObject;
  }
  return touched;
}
