import type { UnstructuredObject } from '../../api/kube-object.js';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Describes a change that deserves a line even if the next one reverts it before the table is drawn. */
export function describeChange(
  type: ChangeType,
  before: UnstructuredObject | undefined,
  object: UnstructuredObject,
): string | undefined {
  if (type === 'ADDED') return 'created';
  if (type === 'DELETED') return 'deleted';
  const [from, to] = [replicasOf(before), replicasOf(object)];
  return from === undefined || to === undefined || from === to ? undefined : `scaled from ${from} to ${to}`;
}

function replicasOf(object: UnstructuredObject | undefined): number | undefined {
  const { replicas } = (object?.['spec'] ?? {}) as { replicas?: unknown };
  return typeof replicas === 'number' ? replicas : undefined;
}
