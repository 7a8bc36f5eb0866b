import { ownMember } from '../../base/own-member.js';
import { labelValueErrors } from '../../api/objects/names.js';
import { arrayAt, eachObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';

const DEPRECATED: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Returns warnings for deprecated node labels in a selector: pkg/api/node. */
export function nodeSelectorWarnings(selector: JsonObject, field: string): string[] {
  return Object.keys(selector).flatMap((key) => {
    const reason = ownMember(DEPRECATED, key);
    return reason === undefined ? [] : [`${field}[${key}]: ${reason}`];
  });
}

/** Returns warnings for the label in `field`. */
export function nodeLabelWarnings(label: string, field: string): string[] {
  const reason = ownMember(DEPRECATED, label);
  return reason === undefined ? [] : [`${field}: ${label} is ${reason}`];
}

/** Returns warnings for a NodeAffinity. */
export function nodeAffinityWarnings(affinity: JsonObject, field: string): string[] {
  const { nodeSelectorTerms } = objectAt(affinity, REQUIRED);
  const preferred = eachObject(affinity[PREFERRED]);
  return [
    ...nodeSelectorTermsWarnings(nodeSelectorTerms, `${field}.${REQUIRED}.nodeSelectorTerms`),
    ...preferred.flatMap(({ preference }, index) => {
      const path = `${field}.${PREFERRED}[${index}].preference`;
      return termWarnings(objectAt({ preference }, 'preference'), path, valueWarnings);
    }),
  ];
}

/** Returns warnings for the terms of a NodeSelector. */
export function nodeSelectorTermsWarnings(terms: unknown, field: string): string[] {
  return eachObject(terms).flatMap((term, index) => termWarnings(term, `${field}[${index}]`, () => []));
}

function termWarnings(
  term: JsonObject,
  field: string,
  warningsOf: (expression: JsonObject, field: string) => string[],
): string[] {
  return eachObject(term.matchExpressions).flatMap((expression, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    return [...nodeLabelWarnings(stringAt(expression, 'key'), `${path}.key`), ...warningsOf(expression, path)];
  });
}

function valueWarnings(expression: JsonObject, field: string): string[] {
  return arrayAt(expression, 'values').flatMap((value, index) =>
    labelValueErrors(String(value)).map(
      (message) => `${field}.values[${index}]: ${String(value)} is invalid, ${message}`,
    ),
  );
}
