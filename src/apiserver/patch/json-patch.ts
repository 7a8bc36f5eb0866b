import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { stringifyJson } from '../../base/json.js';
import { ownMember } from '../../base/own-member.js';
import type { JsonObject } from '../objects/api-object.js';
import type { JsonPatchOperation } from './json-patch-operations.js';
import { JsonPatchError } from './json-patch-error.js';
import { addAt, getAt, placeOf, removeAt, replaceAt, type Place } from './json-patch-place.js';

/**
 * The limit on the JSON size of all copies in a patch, as in the API server: repeated copies of copies could exhaust
 * the memory.
 */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * Applies a JSON patch like evanphx/json-patch v4, which differs from RFC 6902: negative indexes count from the end of
 * a list, `+1` and `01` are valid indexes, missing members can be replaced, are copied as null and equal null in tests.
 * No library behaves the same: of 103 cases in test/fidelity/json-patches.ts, rfc6902 5.4 differs in 20,
 * fast-json-patch 3.1 in 21, json8-patch 1.0 in 22 and immutable-json-patch 6.0 in 32, and an adapter would have to
 * resolve the pointers itself.
 * @throws JsonPatchError when an operation cannot be applied
 */
export function jsonPatch(target: JsonObject, operations: readonly JsonPatchOperation[]): unknown {
  const document: Document = { root: deepClone(target), copiedBytes: 0 };
  for (const operation of operations) {
    const { op = 'unknown' } = operation;
    const run = ownMember(OPERATIONS, op);
    if (!run) throw new JsonPatchError(`Unexpected kind: ${op}`);
    // Later operations may change the value, and a retry needs the original.
    run(document, deepClone(operation));
  }
  return document.root;
}

interface Document {
  root: unknown;
  copiedBytes: number;
}

const OPERATIONS: Readonly<Record<string, (document: Document, operation: JsonPatchOperation) => void>> = {
  add(document, operation) {
    const path = pathOf(operation);
    const place = found(document, path, `add operation does not apply: doc is missing path: "${path}"`);
    within(`error in add for path: '${path}'`, () => {
      addAt(place, operation.value ?? null);
    });
  },
  remove(document, operation) {
    const path = pathOf(operation);
    const place = found(document, path, `remove operation does not apply: doc is missing path: "${path}"`);
    within(`error in remove for path: '${path}'`, () => {
      removeAt(place);
    });
  },
  replace(document, operation) {
    const { value = null } = operation;
    const path = pathOf(operation);
    if (path === '') {
      if (typeof value !== 'object' || value === null)
        throw new JsonPatchError('replace operation value must be object or array: %!w(<nil>)');
      document.root = value;
      return;
    }
    const place = found(document, path, `replace operation does not apply: doc is missing path: ${path}`);
    try {
      replaceAt(place, value);
    } catch {
      throw new JsonPatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
  },
  move(document, operation) {
    const from = fromOf(operation);
    const source = found(document, from, `move operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const moved = getAt(source);
      removeAt(source);
      return moved;
    });
    const path = pathOf(operation);
    const place = found(document, path, `move operation does not apply: doc is missing destination path: ${path}`);
    within(`error in move for path: '${path}'`, () => {
      addAt(place, value);
    });
  },
  copy(document, operation) {
    const from = fromOf(operation);
    const source = found(document, from, `copy operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in copy for from: '${from}'`, () => getAt(source));
    const path = pathOf(operation);
    const place = found(document, path, `copy operation does not apply: doc is missing destination path: ${path}`);
    if (value !== null) document.copiedBytes += Buffer.byteLength(stringifyJson(value));
    if (document.copiedBytes > MAX_COPIED_BYTES)
      throw new JsonPatchError(
        `Unable to complete the copy, the accumulated size increase of copy is ${document.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`,
      );
    within('error while adding value during copy', () => {
      addAt(place, deepClone(value));
    });
  },
  test(document, operation) {
    const path = pathOf(operation);
    const present = path === '' ? document.root : tested(document, path);
    if (!deepEqual(present, operation.value ?? null))
      throw new JsonPatchError(`testing value ${path} failed: test failed`);
  },
};

function tested(document: Document, path: string): unknown {
  const place = found(document, path, `test operation does not apply: is missing path: ${path}`);
  return within(`error in test for path: '${path}'`, () => getAt(place));
}

function pathOf({ op = '', path }: JsonPatchOperation): string {
  if (path !== undefined) return path;
  const what = ['add', 'remove', 'copy'].includes(op) ? '' : 'operation missing path field: ';
  throw new JsonPatchError(`${op} operation failed to decode path: ${what}missing value`);
}

function fromOf({ op = '', from }: JsonPatchOperation): string {
  if (from !== undefined) return from;
  throw new JsonPatchError(`${op} operation failed to decode from: operation, missing from field: missing value`);
}

function found({ root }: Document, path: string, complaint: string): Place {
  const place = placeOf(root, path);
  if (place) return place;
  throw new JsonPatchError(`${complaint}: missing value`);
}

function within<T>(complaint: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof JsonPatchError ? new JsonPatchError(`${complaint}: ${error.message}`) : error;
  }
}
