import { deepEqual } from '../../base/deep-equal.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import { objectKey } from '../objects/object-key.js';
import type { Cause, EventCause, Run, RunRef } from './reconcile-observer.js';

/**
 * Formats the causes of a run as one line of text: `@Watches(Pod) update default/x (status) x3; requeueAfter 30000 ms`.
 *
 * The changed parts of an updated object are in brackets; equal texts are counted.
 */
export function describeCauses({ causes, causesOmitted, controller, key }: CausedRun): string {
  const counts = new Map<string, number>();
  for (const cause of causes) {
    const text = describeCause(cause, { controller, key });
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const parts = [...counts].map(([text, count]) => (count === 1 ? text : `${text} x${String(count)}`));
  if (causesOmitted > 0) parts.push(`${String(causesOmitted)} more`);
  return parts.join('; ');
}

type CausedRun = Pick<Run, 'causes' | 'causesOmitted' | 'controller' | 'key'>;

function describeCause(cause: Cause, run: Omit<RunRef, 'id'>): string {
  switch (cause.type) {
    case 'initial':
      return `${cause.source} initial list`;
    case 'event':
      return `${cause.source} ${cause.event.type} ${objectKey(cause.event.object)}${changes(cause)}${writer(cause, run)}`;
    case 'trigger':
      return cause.source;
    case 'timer':
      return `requeueAfter ${String(cause.delayMs)} ms`;
    case 'retry':
      return `retry after ${cause.reason}, attempt ${String(cause.attempt)}`;
  }
}

function changes({ event }: EventCause): string {
  if (event.type !== 'update') return '';
  const parts = changedParts(event.old, event.object);
  return ` (${parts.length === 0 ? 'unchanged' : parts.join(', ')})`;
}

function writer({ byRun }: EventCause, { controller, key }: Omit<RunRef, 'id'>): string {
  if (!byRun) return '';
  if (byRun.controller === controller && byRun.key === key) return ' by its own write';
  return ` by the reconcile of ${byRun.controller} ${byRun.key}`;
}

/** Members that change with every write. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields', 'generation']);

/** Returns the members of an object and of its metadata that differ, such as `spec` and `metadata.labels`. */
function changedParts(old: ReadonlyDeep<KubeObject>, object: ReadonlyDeep<KubeObject>): string[] {
  const members = changedMembers(old, object).filter((name) => name !== 'metadata');
  const metadata = changedMembers(old.metadata, object.metadata).filter((name) => !BOOKKEEPING.has(name));
  return [...metadata.map((name) => `metadata.${name}`), ...members];
}

function changedMembers(a: object, b: object): string[] {
  const before = a as Readonly<Record<string, unknown>>;
  const after = b as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !deepEqual(before[name], after[name]));
}
