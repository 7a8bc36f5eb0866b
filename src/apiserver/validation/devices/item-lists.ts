import { duplicate, tooMany, type FieldError } from '../../../api/protocol/field-error.js';
import { stringAt, type JsonObject } from '../../objects/api-object.js';

type CheckItem = (item: JsonObject, path: string) => FieldError[];

/** Checks a list with unique names or keys; for a list that is too long, only its length is reported. */
export function validateNamed(
  items: readonly JsonObject[],
  max: number,
  path: string,
  check: CheckItem,
  key = 'name',
): FieldError[] {
  const names = items.map((item) => stringAt(item, key));
  return items.length > max
    ? [tooMany(path, items.length, max)]
    : [
        ...validateListed(items, max, path, check),
        ...names.flatMap((name, index) => (names.indexOf(name) < index ? [duplicate(`${path}[${index}]`, name)] : [])),
      ];
}

export function validateListed(
  items: readonly JsonObject[],
  max: number,
  path: string,
  check: CheckItem,
): FieldError[] {
  if (items.length > max) return [tooMany(path, items.length, max)];
  return items.flatMap((item, index) => check(item, `${path}[${index}]`));
}
