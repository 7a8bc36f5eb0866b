import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { processRedactor } from '../../api/access/redaction.js';
import { changedFields, formatFieldPath } from '../../base/changed-fields.js';
import { isJsonObject } from '../../base/json-object.js';
import type { FieldChange } from '../wire.js';

/** Members that the server sets with every write. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'managedFields']);
const MOST_CHANGES = 50;
const SHOWN_CHANGES = 40;
const LONGEST_VALUE = 500;

export interface FieldChanges {
  readonly changes: readonly FieldChange[];
  readonly changesOmitted?: number;
}

/** Returns the redacted changes between two states of an object. Undefined stands for an object that does not exist. */
export function fieldChanges(
  kind: KindRef,
  from: ReadonlyDeep<KubeObject> | undefined,
  to: ReadonlyDeep<KubeObject> | undefined,
): FieldChanges {
  const found = changedFields(withoutBookkeeping(from), withoutBookkeeping(to), MOST_CHANGES);
  const changes = found.slice(0, SHOWN_CHANGES).map(({ path, from: before, to: after }): FieldChange => {
    const [shownBefore, shownAfter] = [before, after].map((value) => textOf(processRedactor.redact(kind, value, path)));
    return {
      path: formatFieldPath(path),
      ...(shownBefore !== undefined && { from: shownBefore }),
      ...(shownAfter !== undefined && { to: shownAfter }),
    };
  });
  const omitted = found.length - changes.length;
  return { changes, ...(omitted > 0 && { changesOmitted: omitted }) };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

function withoutBookkeeping(object: ReadonlyDeep<KubeObject> | undefined): unknown {
  if (!object) return undefined;
  const metadata = Object.entries<unknown>(object.metadata).filter(
    ([name, value]) => !BOOKKEEPING.has(name) && value !== undefined,
  );
  const whole: unknown = object;
  return isJsonObject(whole) ? { ...whole, metadata: Object.fromEntries(metadata) } : whole;
}
