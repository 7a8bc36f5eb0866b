import { forbiddenField, invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { arrayAt, eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkQualifiedName } from '../fields/field-checks.js';

/** Returns the errors of matchLabelKeys and mismatchLabelKeys: core's ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function validateLabelKeys(owner: JsonObject, field: string): FieldError[] {
  const [matching, others] = ['matchLabelKeys', 'mismatchLabelKeys'].map((name) => arrayAt(owner, name).map(String));
  const shared = (matching ?? []).flatMap((key, index) =>
    others?.includes(key) === true
      ? [invalidValue(`${field}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
      : [],
  );
  return [
    ...keyErrors(matching ?? [], owner, `${field}.matchLabelKeys`),
    ...keyErrors(others ?? [], owner, `${field}.mismatchLabelKeys`),
    ...repeatedErrors(matching ?? [], owner.labelSelector, field),
    ...shared,
  ];
}

function keyErrors(keys: readonly string[], { labelSelector }: JsonObject, field: string): FieldError[] {
  if (keys.length === 0) return [];
  if (!isJsonObject(labelSelector))
    return [forbiddenField(field, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => checkQualifiedName(`${field}[${index}]`, key));
}

/** One expression per key is allowed, because the server adds it. */
function repeatedErrors(keys: readonly string[], selector: unknown, field: string): FieldError[] {
  const seen = new Set(Object.keys(objectAt(selector, 'matchLabels')));
  return eachObject((selector as JsonObject | undefined)?.matchExpressions).flatMap((expression) => {
    const key = stringAt(expression, 'key');
    const place = keys.lastIndexOf(key);
    const isRepeated = place >= 0 && seen.has(key);
    seen.add(key);
    const detail = 'exists in both matchLabelKeys and labelSelector';
    return isRepeated ? [invalidValue(`${field}[${place}]`, key, detail)] : [];
  });
}
