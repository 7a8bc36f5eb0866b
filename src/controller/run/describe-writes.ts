import { formatFieldPath } from '../../base/changed-fields.js';
import { cutMiddle } from '../../base/cut-text.js';
import { isJsonObject } from '../../base/json-object.js';
import { printableText } from '../../base/printable-text.js';
import { splitKey } from '../../api/objects/object-key.js';
import type { Run, WriteOp } from '../../api/reconcile/reconcile-observer.js';
import { processRedactor } from '../../api/access/redaction.js';
import { changesOf, isEffectiveWrite, type ObjectChange } from '../hot-loops/object-changes.js';

const LONGEST_LINE = 200;
const LONGEST_VALUE = 60;
const CHANGES_PER_OBJECT = 3;

/**
 * Describes the writes of a run that changed something, redacted, in at most 200 characters; undefined without any:
 * `PodSet default/web: created Deployment web, status.nodes [] → [a, b]`.
 */
export function describeWrites(run: Pick<Run, 'key' | 'ops'>, kind: string): string | undefined {
  const writes = run.ops.filter(isEffectiveWrite);
  if (writes.length === 0) return undefined;
  const texts = writes.map((write) => describeWrite(write, run, kind));
  return cutMiddle(printableText(`${kind} ${run.key}: ${texts.join(', ')}`), LONGEST_LINE);
}

function describeWrite(write: WriteOp, run: Pick<Run, 'key'>, kind: string): string {
  const target = `${write.kind.kind} ${nameWithin(write.key, run.key)}`;
  if (write.do === 'delete') return `deleted ${target}`;
  const changes = changesOf(write).flatMap(membersOf);
  if (!write.before) return `${isFirst(write) ? 'created' : 'wrote'} ${target}`;
  const shown = changes.slice(0, CHANGES_PER_OBJECT).map(describeChange);
  if (changes.length > shown.length) shown.push(`${changes.length - shown.length} more`);
  const isOwn = write.key === run.key && write.kind.kind === kind;
  if (isOwn && shown.length > 0) return shown.join(', ');
  return [`updated ${target}`, shown.join(', ')].filter((text) => text !== '').join(' ');
}

/** A whole object that was added, such as the first status, is shown by its members. */
function membersOf(change: ObjectChange): ObjectChange[] {
  const { path, from, to } = change;
  if (path.length === 0) return [];
  if (from !== undefined || !isJsonObject(to)) return [change];
  return Object.entries(to).map(([name, value]) => ({ ...change, path: [...path, name], to: value }));
}

/** The state before is unknown for a kind that is not cached. */
function isFirst({ do: action, after }: WriteOp): boolean {
  const { generation = 1 } = after?.metadata ?? {};
  return action === 'create' || (action === 'apply' && generation === 1);
}

/** Without the namespace of the reconciled object. */
function nameWithin(key: string, own: string): string {
  const { namespace, name } = splitKey(key);
  return namespace === '' || namespace === splitKey(own).namespace ? name : key;
}

function describeChange({ kind, path, from, to }: ObjectChange): string {
  return `${formatFieldPath(path)} ${shortValue(processRedactor.redact(kind, from, path))} → ${shortValue(processRedactor.redact(kind, to, path))}`;
}

/** A value as in YAML's flow style. */
function shortValue(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'string' && /^[^\s,[\]{}"]{1,60}$/.test(value)) return value;
  const text = Array.isArray(value) ? `[${value.map(shortValue).join(', ')}]` : JSON.stringify(value);
  return cutMiddle(text, LONGEST_VALUE);
}
