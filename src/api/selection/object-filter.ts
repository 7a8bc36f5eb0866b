import { OperatorError } from '../../base/operator-error.js';
import { renamedError } from '../../base/renamed.js';
import { indexMatcher, type IndexMatch } from './cache-index.js';
import { fieldMatcher, type FieldValues } from './field-match.js';
import type { KindRef } from '../kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import { matchesSelector, type LabelSelector } from './label-selector.js';
import { parseLabelSelector } from './parse-label-selector.js';

/** Options of `Lister.list`; an object must meet all of them. */
export interface ListerOptions {
  readonly namespace?: string;
  /** `app=web`, `tier in (a,b)`, `!legacy`, or an object. */
  readonly labelSelector?: string | LabelSelector;
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
  const selector = options.labelSelector === undefined ? undefined : toLabelSelector(options.labelSelector);
  const matchesFields = options.where && fieldMatcher(kind, options.where);
  const isIndexed = options.index && indexMatcher(kind, options.index);
  return (object) =>
    matchesMetadata(object, options) &&
    (!selector || matchesSelector(selector, object.metadata.labels)) &&
    (matchesFields?.(object) ?? true) &&
    (isIndexed?.(object) ?? true);
}

/** @throws OperatorError for `fields` and `selector`, the former names of `where` and `labelSelector`. */
export function assertNoFormerName(options: object): void {
  if ('fields' in options) throw renamedError('fields of a list', `where: { 'spec.nodeName': 'node-1' }`);
  if ('selector' in options) throw renamedError('selector of a list', `labelSelector: 'app=web'`);
}

/** @throws OperatorError (E_REQUEST) for a text that is not a label selector. */
export function toLabelSelector(selector: string | LabelSelector): LabelSelector {
  if (typeof selector === 'object') return selector;
  const parsed = parseLabelSelector(selector);
  if (parsed) return parsed;
  throw new OperatorError(`labelSelector "${selector}" is not valid`, {
    code: 'E_REQUEST',
    hint: `labelSelector: 'app=web,tier in (a,b),!legacy'`,
  });
}

function matchesMetadata(
  { metadata }: ReadonlyDeep<KubeObject>,
  { namespace, ownerUid, labels }: ListerOptions,
): boolean {
  if (namespace !== undefined && (metadata.namespace ?? '') !== namespace) return false;
  if (ownerUid !== undefined && !metadata.ownerReferences?.some(({ uid }) => uid === ownerUid)) return false;
  return !labels || matchesSelector({ matchLabels: labels }, metadata.labels);
}
