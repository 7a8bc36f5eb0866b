import { deepEqual } from '../../../base/deep-equal.js';
import { numberAt, stringAt, type JsonObject } from '../../objects/api-object.js';

/** Both lists as one, without those another one covers: kubernetes/pkg/util/tolerations. */
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

/** Whether one toleration tolerates all that another does. */
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
