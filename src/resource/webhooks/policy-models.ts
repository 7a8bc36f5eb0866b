import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import { POLICY, type PolicyEntry } from '../decorators/policy.js';
import type { Diagnostics } from '../diagnostics.js';
import { isDns1123Subdomain } from '../kinds/names.js';
import { decoratorUse, inheritedMetadata } from '../metadata.js';
import type { Problem } from '../model-error.js';
import type { MutatingPolicy, PolicyModel, ValidatingPolicy } from './policy-model.js';
import { matchConditions, requestRules } from './request-scope.js';
import { namespaceSelectorProblems, selectorProblems } from './selector-problems.js';

type Target = abstract new (...args: never[]) => object;

/** A class with policies. */
interface Owner {
  readonly target: Target;
  readonly kind: KindRef;
  readonly definesKind: boolean;
  /** The operator's name, for the names of policies on kinds that are defined elsewhere. */
  readonly name: string;
}

interface IndexedEntry extends PolicyEntry {
  readonly index: number;
}

/**
 * The admission policies of a class: one for all rules with the same scope, and one for each change.
 *
 * The names are those of the kind, with the operator's name for a kind that is defined elsewhere.
 */
export function policyModels(owner: Owner, diagnostics: Diagnostics): PolicyModel[] {
  const { target } = owner;
  const entries = inheritedMetadata(POLICY, target).map((entry, index) => ({ ...entry, index }));
  for (const entry of entries)
    for (const [problem, hint] of entryProblems(entry, owner))
      diagnostics.add({ target, decorator: decoratorUse(POLICY, target, entry.index) }, `@Policy: ${problem}`, hint);
  const validating = entries.filter(({ expression }) => expression !== undefined);
  const mutating = entries.filter(({ expression }) => expression === undefined);
  const groups = [...Map.groupBy(validating, scopeKey).values()];
  return [
    ...groups.map((group, index) => validatingPolicy(group, owner, index)),
    ...mutating.map((entry, index) => mutatingPolicy(entry, owner, index)),
  ];
}

function scopeKey({ options }: PolicyEntry): string {
  const { message: _, messageExpression: __, reason: ___, ...scope } = options;
  return JSON.stringify(Object.entries(scope).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validatingPolicy(group: readonly IndexedEntry[], owner: Owner, index: number): ValidatingPolicy {
  const options = group[0]?.options ?? {};
  const validations = group.map((entry) => {
    const { message, messageExpression, reason } = entry.options;
    return { expression: entry.expression ?? '', message, messageExpression, reason, index: entry.index };
  });
  return { type: 'Validating', ...scopeOf(options, owner, index), validations, actions: options.actions ?? ['Deny'] };
}

function mutatingPolicy({ options, index: decorator }: IndexedEntry, owner: Owner, index: number): MutatingPolicy {
  const { apply, patch, reinvocation = false } = options;
  const reinvocationPolicy = reinvocation ? 'IfNeeded' : 'Never';
  return { type: 'Mutating', ...scopeOf(options, owner, index), apply, patch, index: decorator, reinvocationPolicy };
}

function scopeOf(options: PolicyEntry['options'], { kind, definesKind, name: operator }: Owner, index: number) {
  const base = definesKind ? resourceName(kind) : `${operator}.${resourceName(kind)}`;
  const { name = index === 0 ? base : `${base}-${index + 1}`, subresources, failurePolicy = 'Fail' } = options;
  const { on = subresources ? ['UPDATE'] : ['CREATE', 'UPDATE'], namespaceSelector, objectSelector } = options;
  return {
    name,
    rules: requestRules([{ operations: on, subresources }], kind),
    failurePolicy,
    matchConditions: matchConditions(options),
    namespaceSelector,
    objectSelector,
  } as const;
}

function* entryProblems(entry: PolicyEntry, { kind }: Owner): Generator<Problem> {
  yield* ruleProblems(entry);
  yield* operationProblems(entry);
  yield* actionProblems(entry);
  const { name, namespaceSelector, objectSelector, match } = entry.options;
  if (name !== undefined && !isDns1123Subdomain(name))
    yield [`name "${name}" is not a valid object name`, `name: 'size'`];
  if (match?.trim() === '') yield ['match is empty', `match: 'object.spec.size > 1'`];
  if (namespaceSelector) yield* namespaceSelectorProblems(namespaceSelector, kind, 'match');
  if (objectSelector) yield* selectorProblems('objectSelector', objectSelector);
}

function* ruleProblems({ expression, options: { apply, patch } }: PolicyEntry): Generator<Problem> {
  if (expression?.trim() === '') yield ['the expression is empty', `@Policy('object.spec.size <= 10', 'is too large')`];
  if (expression === undefined && (apply === undefined) === (patch === undefined))
    yield ['requires either apply or patch', `@Policy({ apply: 'Object{…}' })`];
}

function* operationProblems({ expression, options: { on = [] } }: PolicyEntry): Generator<Problem> {
  for (const operation of on.filter((each) => !['CREATE', 'UPDATE', 'DELETE'].includes(each)))
    yield [`on: "${operation}" is not an operation on stored objects`, 'use CREATE, UPDATE or DELETE'];
  if (expression === undefined && on.includes('DELETE'))
    yield ['on: a deletion has no object to change', 'remove DELETE'];
}

function* actionProblems({ options: { actions } }: PolicyEntry): Generator<Problem> {
  if (actions?.length === 0) yield ['actions is empty', `actions: ['Warn']`];
  if (actions?.includes('Deny') && actions.includes('Warn'))
    yield ['actions: Deny and Warn would repeat the message', `actions: ['Deny']`];
}
