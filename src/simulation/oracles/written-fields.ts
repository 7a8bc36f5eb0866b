import type { KubeObject } from '../../api/objects/kube-object.js';
import type { FieldPath } from '../../base/changed-fields.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import type { RunFacts } from './run-facts.js';

/** Returns whether the operator declared the field by server-side apply, so that it must restore it. */
export function isApplied(object: KubeObject, managers: readonly string[], path: FieldPath): boolean {
  return managedFields(object).some(
    ({ manager, operation, fieldsV1 }) =>
      operation === 'Apply' && managers.includes(String(manager)) && contains(fieldsV1, path),
  );
}

/** Returns whether one of the managers has written the field; true for an object without managed fields. */
export function isOwned(object: KubeObject, managers: readonly string[], path: FieldPath): boolean {
  const managed = managedFields(object);
  return (
    managed.length === 0 ||
    managed.some(({ manager, fieldsV1 }) => managers.includes(String(manager)) && contains(fieldsV1, path))
  );
}

/**
 * Returns whether a request of the operator set the field of an object to another value than it had. The other fields are
 * defaults of the server, which depend on what it was created with, or the work of controllers.
 */
export function isSetByOperator(facts: RunFacts, uid: string, path: FieldPath): boolean {
  const { requests } = facts.history;
  return facts.commitsOf(uid).some(({ actor, before, after, request }) => {
    if (actor.type !== 'operator') return false;
    const body = requests[request ?? -1]?.body;
    return body === undefined ? isChanged(after, before, path) : isChangedBy(body, before, path);
  });
}

function isChangedBy(body: string, before: KubeObject | undefined, path: FieldPath): boolean {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return true; // the format is not known
  }
  return Array.isArray(sent)
    ? sent.some((operation) => isPrefix(String((operation as JsonObject)['path']), path))
    : isChanged(sent, before, path);
}

/** The items of lists are compared by position; any of them counts. */
function isChanged(sent: unknown, before: unknown, path: FieldPath): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return !deepEqual(sent, before);
  if (Array.isArray(sent)) {
    const items: readonly unknown[] = Array.isArray(before) ? before : [];
    return sent.some((item, index) => isChanged(item, items[index], rest));
  }
  if (!isJsonObject(sent)) return sent !== undefined && !deepEqual(sent, before);
  return Object.hasOwn(sent, step) && isChanged(sent[step], isJsonObject(before) ? before[step] : undefined, rest);
}

/** Returns whether a JSON pointer leads to the field or to what contains it. */
function isPrefix(pointer: string, path: FieldPath): boolean {
  const steps = pointer.split('/').slice(1);
  return steps.every((step, index) => {
    const own = path[index];
    return own === undefined || typeof own === 'number' || step.replaceAll('~1', '/').replaceAll('~0', '~') === own;
  });
}

function managedFields(object: KubeObject): readonly JsonObject[] {
  return (object.metadata as { readonly managedFields?: readonly JsonObject[] }).managedFields ?? [];
}

/** List items are found by position only, so that any item of a keyed list counts. */
function contains(fields: unknown, path: FieldPath): boolean {
  const [step, ...rest] = path;
  if (!isJsonObject(fields)) return false;
  if (step === undefined || Object.keys(fields).length === 0) return true;
  if (typeof step === 'string') return contains(fields[`f:${step}`], rest);
  return Object.entries(fields).some(([key, item]) => key.startsWith('k:') && contains(item, rest));
}
