import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { printableText } from '../../base/printable-text.js';

/** A condition as the table shows it. */
export interface ShownCondition {
  readonly text: string;
  readonly isTrue: boolean;
}

/** A row of the demo's table: one object. */
export interface Row {
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly conditions: readonly ShownCondition[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

/** Built-in kinds have many conditions; these summarize the others. */
const SUMMARY_CONDITIONS = ['Ready', 'Available'];
const BOOKKEEPING = ['observedGeneration', 'conditions'];

/** The row of an object: with the whole status for an operator's kind, with a summary for a built-in kind. */
export function rowOf(kind: string, object: UnstructuredObject, isOperators: boolean): Row {
  const { name, namespace = 'default', deletionTimestamp } = object.metadata;
  const status = (object['status'] ?? {}) as Record<string, unknown>;
  const conditions = (status['conditions'] ?? []) as readonly Condition[];
  const summary = isOperators ? ownSummary(status) : builtInSummary(object, status);
  return {
    kind,
    name: namespace === 'default' ? name : `${namespace}/${name}`,
    status: deletionTimestamp === undefined ? printableText(summary) : 'Terminating',
    conditions: conditions.filter(({ type }) => isOperators || SUMMARY_CONDITIONS.includes(type)).map(shownCondition),
  };
}

function ownSummary(status: Record<string, unknown>): string {
  return Object.entries(status)
    .filter(([field, value]) => !BOOKKEEPING.includes(field) && isShort(value))
    .map(([field, value]) => `${field}: ${Array.isArray(value) ? value.length : String(value)}`)
    .join(', ');
}

/** Lists are shown by their length; objects are not shown. */
function isShort(value: unknown): boolean {
  return Array.isArray(value) || (typeof value !== 'object' && value !== undefined);
}

function builtInSummary({ spec }: UnstructuredObject, { phase, readyReplicas }: Record<string, unknown>): string {
  if (typeof phase === 'string') return phase;
  const replicas = (spec as { replicas?: unknown } | undefined)?.replicas;
  return typeof replicas === 'number' ? `${Number(readyReplicas ?? 0)}/${replicas} ready` : '';
}

function shownCondition({ type, status, reason }: Condition): ShownCondition {
  const isTrue = status === 'True';
  const text = isTrue ? type : `${type}=${status}${reason === undefined ? '' : ` (${reason})`}`;
  return { text: printableText(text), isTrue };
}
