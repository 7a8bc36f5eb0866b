import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { badRequest, StatusError } from '../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../object.js';

const MAX_OPERATIONS = 10_000;

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** RFC 6902. */
export function jsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  if (patch.length > MAX_OPERATIONS) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  const document = { root: deepClone(target) as unknown };
  for (const operation of patch as Operation[]) apply(document, operation);
  return document.root as JsonObject;
}

interface Document {
  root: unknown;
}

function apply(document: Document, operation: Operation): void {
  const run = OPERATIONS[operation.op];
  if (!run) throw refused(`Unexpected kind: ${operation.op}`);
  run(document, split(operation, 'path'), operation);
}

type Run = (document: Document, path: readonly string[], operation: Operation) => void;

const OPERATIONS: Readonly<Partial<Record<string, Run>>> = {
  add: (document, path, { value = null, path: text }) => add(document, path, value, text),
  remove: (document, path, { path: text }) => remove(document, path, text, 'remove'),
  replace(document, path, { value = null, path: text }) {
    // A member that is missing is added, as the real server does.
    const parent = parentOf(document, path);
    if (path.length > 0 && !isJsonObject(parent)) get(document, path, text, 'replace');
    replace(document, path, value);
  },
  move(document, path, operation) {
    const [from, text] = [split(operation, 'from'), operation.from ?? ''];
    const moved = get(document, from, text, 'move');
    remove(document, from, text, 'move');
    add(document, path, moved, operation.path);
  },
  copy: (document, path, operation) =>
    add(
      document,
      path,
      deepClone(get(document, split(operation, 'from'), operation.from ?? '', 'copy')),
      operation.path,
    ),
  test,
};

function test(document: Document, path: readonly string[], { path: text, value = null }: Operation): void {
  const present = path.length === 0 ? document.root : get(document, path, text, 'test', value === null);
  if (!deepEqual(present ?? null, value)) throw refused(`testing value ${text} failed: test failed`);
}

function split(operation: Operation, key: 'path' | 'from'): string[] {
  const text = operation[key];
  if (typeof text !== 'string') throw refused(`missing ${key} in operation`);
  if (text === '') return [];
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function parentOf(document: Document, path: readonly string[]): unknown {
  let node = document.root;
  for (const part of path.slice(0, -1)) {
    if (Array.isArray(node)) node = (node as unknown[])[Number(part)];
    else if (isJsonObject(node) && Object.hasOwn(node, part)) node = node[part];
    else return undefined;
  }
  return node;
}

function get(document: Document, path: readonly string[], text: string, what: string, mayMiss = false): unknown {
  const key = path.at(-1) ?? '';
  const parent = parentOf(document, path);
  const isThere = Array.isArray(parent) ? isIndexOf(parent, key) : isJsonObject(parent) && Object.hasOwn(parent, key);
  if (isThere) return (parent as JsonObject)[key];
  if (mayMiss && isJsonObject(parent)) return null;
  throw refused(`${what} operation does not apply: doc is missing key: ${text}: missing value`);
}

function isIndexOf(list: readonly unknown[], key: string): boolean {
  return /^\d+$/.test(key) && Number(key) < list.length;
}

function add(document: Document, path: readonly string[], value: unknown, text: string): void {
  const key = path.at(-1);
  if (key === undefined) {
    document.root = value;
    return;
  }
  const parent = parentOf(document, path);
  if (isJsonObject(parent)) parent[key] = value;
  else if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : Number(key);
    if (!Number.isInteger(index) || index < 0 || index > parent.length)
      throw refused(
        `add operation does not apply: doc is missing path: "${text}": Unable to access invalid index: ${key}: invalid index referenced`,
      );
    parent.splice(index, 0, value);
  } else throw refused(`add operation does not apply: doc is missing path: "${text}": missing value`);
}

function replace(document: Document, path: readonly string[], value: unknown): void {
  const key = path.at(-1);
  const parent = parentOf(document, path);
  if (key === undefined) document.root = value;
  else if (Array.isArray(parent)) parent[Number(key)] = value;
  else if (isJsonObject(parent)) parent[key] = value;
}

function remove(document: Document, path: readonly string[], text: string, what: string): void {
  get(document, path, text, what);
  const key = path.at(-1) ?? '';
  const parent = parentOf(document, path);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (isJsonObject(parent)) Reflect.deleteProperty(parent, key);
}

/** The real server keeps to itself what was wrong. */
function refused(_why: string): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}
