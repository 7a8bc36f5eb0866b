import { fieldValues, pathSegments } from './field-values.js';
import type { KubeObject } from '../objects/kube-object.js';

/** One term of a fieldSelector. */
interface FieldRequirement {
  readonly segments: readonly string[];
  readonly value: string;
  readonly isNegated: boolean;
}

/** Parses the API's fieldSelector parameter: `spec.nodeName=a,status.phase!=Failed`; undefined if it is invalid. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] | undefined {
  const requirements: FieldRequirement[] = [];
  for (const term of text.match(/(\\.|[^\\,])+/gs) ?? []) {
    const match = /^([^=!]+)(!=|==|=)(.*)$/s.exec(term);
    if (!match) return undefined;
    const [, path = '', operator, value = ''] = match;
    requirements.push({
      segments: pathSegments(path.trim()),
      value: value.replace(/\\(.)/gs, '$1'),
      isNegated: operator === '!=',
    });
  }
  return requirements;
}

/**
 * Returns whether an object matches; undefined if only the server knows.
 *
 * A missing field is left to the server: it has defaults (`spec.hostNetwork` of a Pod is `false`) and fields that are
 * not paths of the object (`status.successful` of a Job).
 */
export function matchesFields(requirements: readonly FieldRequirement[], object: KubeObject): boolean | undefined {
  let isKnown = true;
  for (const { segments, value, isNegated } of requirements) {
    const [actual] = fieldValues(object, segments);
    if (actual === undefined) isKnown = false;
    else if ((actual === value) === isNegated) return false;
  }
  return isKnown ? true : undefined;
}
