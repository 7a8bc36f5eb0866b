import { deepEqual } from '../../../base/deep-equal.js';
import { invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { eachObject, objectAt, type JsonObject } from '../../objects/api-object.js';
import { internalForm } from '../fields/internal-form.js';
import { inOrder } from '../fields/object-meta.js';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const ONLY_ADDED = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
const TERM_ADDED = 'only additions are allowed (no mutations or deletions)';
const SAME_TERMS = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';

export const isGated = (spec: JsonObject): boolean => eachObject(spec.schedulingGates).length > 0;

/** Returns the errors of changed node constraints of a gated pod: constraints can be added, but not removed. */
export function validateGatedChange(spec: JsonObject, former: JsonObject): FieldError[] {
  const [selector, before] = [objectAt(spec, 'nodeSelector'), objectAt(former, 'nodeSelector')];
  const isKept = Object.entries(before).every(([key, value]) => selector[key] === value);
  return [
    ...(isKept
      ? []
      : [invalidValue('spec.nodeSelector', spec.nodeSelector === undefined ? null : inOrder(selector), ONLY_ADDED)]),
    ...affinityErrors(termsOf(spec), termsOf(former), `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`),
  ];
}

function termsOf(spec: JsonObject): JsonObject[] {
  return eachObject(objectAt(objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'), REQUIRED).nodeSelectorTerms);
}

function affinityErrors(terms: readonly JsonObject[], former: readonly JsonObject[], field: string): FieldError[] {
  const shown = (term: unknown): unknown => internalForm('core.NodeSelectorTerm', term);
  if (former.length === 0) return [];
  if (terms.length !== former.length)
    return [invalidValue(field, terms.length === 0 ? null : terms.map(shown), SAME_TERMS)];
  return former.flatMap((old, index) => {
    const next = terms[index] ?? {};
    return hasOnlyMore(next, old) ? [] : [invalidValue(`${field}[${index}]`, shown(next), TERM_ADDED)];
  });
}

function hasOnlyMore(next: JsonObject, old: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'].map(
    (name) => [eachObject(next[name]), eachObject(old[name])] as const,
  );
  const isEmpty = lists.every(([, before]) => before.length === 0);
  if (isEmpty) return lists.every(([present]) => present.length === 0);
  return lists.every(([present, before]) => deepEqual(present.slice(0, before.length), before));
}

/** Returns a gated pod's spec with its former node constraints. */
export function withFormerNodes(spec: JsonObject, former: JsonObject): JsonObject {
  const kept: JsonObject = { ...spec, nodeSelector: former.nodeSelector };
  const [own, before] = [objectAt(spec, 'affinity'), objectAt(former, 'affinity')];
  if (deepEqual(own.nodeAffinity, before.nodeAffinity)) return kept;
  const affinity: JsonObject = { ...own, nodeAffinity: before.nodeAffinity };
  if (affinity.nodeAffinity === undefined) Reflect.deleteProperty(affinity, 'nodeAffinity');
  if (former.affinity === undefined && Object.keys(affinity).length === 0) Reflect.deleteProperty(kept, 'affinity');
  else kept.affinity = affinity;
  return kept;
}
