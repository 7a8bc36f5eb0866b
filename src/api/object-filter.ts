import { renamedError } from '../base/renamed.js';
import { indexMatcher, type IndexMatch } from './cache-index.js';
import { fieldMatcher, type FieldValues } from './field-match.js';
import type { KindRef } from './kind-ref.js';
import type { KubeObject, ReadonlyDeep } from './kube-object.js';
import { matchesSelector, type LabelSelector } from './label-selector.js';

export interface ListerOptions {
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  /** Labels that the objects must have, with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only objects with an owner reference to this uid. */
  readonly ownerUid?: string;
  /** Values that fields of the objects must have, by path: `{ 'spec.nodeName': 'node-1' }`. */
  readonly where?: FieldValues;
  /** A value that the objects must have in an index of `indexBy`. */
  readonly index?: IndexMatch;
}

/**
 * Returns a function that evaluates all options.
 *
 * @throws OperatorError (E_PART) for a field that objects of the kind's part do not have, (E_INDEX) for an index of another
 * kind.
 */
export function objectFilter(
  kind: KindRef | undefined,
  options: ListerOptions,
): (object: ReadonlyDeep<KubeObject>) => boolean {
  assertNoFormerName(options);
  const matchesFields = options.where && fieldMatcher(kind, options.where);
  const isIndexed = options.index && indexMatcher(kind, options.index);
  return (object) =>
    matchesMetadata(object, options) && (matchesFields?.(object) ?? true) && (isIndexed?.(object) ?? true);
}

/** @throws OperatorError for `fields`, the former name of `where`. */
export function assertNoFormerName(options: object): void {
  if ('fields' in options) throw renamedError('fields of a list', `where: { 'spec.nodeName': 'node-1' }`);
}

function matchesMetadata(
  { metadata }: ReadonlyDeep<KubeObject>,
  { namespace, ownerUid, labels, selector }: ListerOptions,
): boolean {
  if (namespace !== undefined && (metadata.namespace ?? '') !== namespace) return false;
  if (ownerUid !== undefined && !metadata.ownerReferences?.some(({ uid }) => uid === ownerUid)) return false;
  if (labels && !matchesSelector({ matchLabels: labels }, metadata.labels)) return false;
  return !selector || matchesSelector(selector, metadata.labels);
}
