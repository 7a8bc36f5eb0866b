import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { LabelSelector, LabelSelectorRequirement } from '../../api/selection/label-selector.js';
import { isLabelValue, isQualifiedName } from '../kinds/names.js';
import type { Problem } from '../model-error.js';

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Returns true for namespaced kinds, and for Namespace: a namespace selector selects its objects by their own labels. */
export function isSelectedByNamespace({ group, plural, scope }: KindRef): boolean {
  return scope === 'Namespaced' || (group === '' && plural === 'namespaces');
}

/** The parts of a namespace selector that the API server rejects, or that have no effect. */
export function* namespaceSelectorProblems(
  selector: LabelSelector,
  kind: KindRef,
  alternative: string,
): Generator<Problem> {
  if (!isSelectedByNamespace(kind))
    yield [`namespaceSelector has no effect: ${kind.kind} is cluster-scoped`, `select objects with ${alternative}`];
  yield* selectorProblems('namespaceSelector', selector);
}

/** The parts of a label selector that the API server rejects. */
export function* selectorProblems(option: string, selector: LabelSelector): Generator<Problem> {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  for (const [key, value] of Object.entries(matchLabels)) {
    yield* keyProblems(option, key);
    yield* valueProblems(option, value);
  }
  for (const requirement of matchExpressions) yield* requirementProblems(option, requirement);
}

function* requirementProblems(
  option: string,
  { key, operator, values = [] }: LabelSelectorRequirement,
): Generator<Problem> {
  yield* keyProblems(option, key);
  for (const value of values) yield* valueProblems(option, value);
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (!OPERATORS.includes(operator)) yield [`${option}: unknown operator "${operator}"`, `use ${OPERATORS.join(', ')}`];
  else if (takesValues !== values.length > 0)
    yield [
      `${option}: operator ${operator} ${takesValues ? 'requires values' : 'must not have values'}`,
      `{ key: 'team', operator: 'In', values: ['a'] } or { key: 'team', operator: 'Exists' }`,
    ];
}

function* keyProblems(option: string, key: string): Generator<Problem> {
  if (!isQualifiedName(key)) yield [`${option}: "${key}" is not a valid label key`, `'example.com/team'`];
}

function* valueProblems(option: string, value: string): Generator<Problem> {
  if (!isLabelValue(value))
    yield [`${option}: "${value}" is not a valid label value`, 'use up to 63 letters, digits, dots and dashes'];
}
