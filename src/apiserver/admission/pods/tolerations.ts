import { deepEqual } from '../../../base/deep-equal.js';
import { numberAt, stringAt, type JsonObject, eachObject, objectAt, type ApiObject } from '../../objects/api-object.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** Adds tolerations of not-ready and unreachable nodes for five minutes to pods without them. */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';

  mutate({ operation, resource, subresource, object }: AdmissionAttributes): ApiObject {
    if (resource.storage !== 'pods' || subresource !== '' || operation === 'DELETE') return object;
    const spec = objectAt(object, 'spec');
    const tolerations = eachObject(spec.tolerations);
    const missing = TAINTS.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
    if (missing.length === 0) return object;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
  }
}

function tolerates({ key, effect }: JsonObject, taint: string): boolean {
  return (key === taint || key === undefined) && (effect === 'NoExecute' || effect === undefined);
}

/** Merges two lists and removes tolerations that others cover: kubernetes/pkg/util/tolerations. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  all.forEach((toleration, index) => {
    const isCovered = (other: JsonObject): boolean => covers(other, toleration);
    const later = all.slice(index + 1).filter((other) => !deepEqual(other, toleration));
    if (!merged.some(isCovered) && !later.some(isCovered)) merged.push(toleration);
  });
  return merged;
}

/** Returns whether one toleration tolerates everything that another does. */
function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (deepEqual(wide, narrow)) return true;
  return coversKey(wide, narrow) && coversEffect(wide, narrow) && coversValue(wide, narrow);
}

function coversKey(wide: JsonObject, narrow: JsonObject): boolean {
  const key = stringAt(wide, 'key');
  return key === stringAt(narrow, 'key') || (key === '' && wide.operator === 'Exists');
}

function coversEffect(wide: JsonObject, narrow: JsonObject): boolean {
  const effect = stringAt(wide, 'effect');
  if (effect !== '' && effect !== stringAt(narrow, 'effect')) return false;
  const seconds = numberAt(wide, 'tolerationSeconds');
  if (effect !== 'NoExecute' || seconds === undefined) return true;
  const own = numberAt(narrow, 'tolerationSeconds');
  return own !== undefined && own <= seconds;
}

function coversValue(wide: JsonObject, narrow: JsonObject): boolean {
  if (wide.operator === 'Exists') return true;
  return narrow.operator === 'Equal' && stringAt(wide, 'value') === stringAt(narrow, 'value');
}
