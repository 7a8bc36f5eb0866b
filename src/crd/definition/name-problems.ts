import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { dns1035LabelErrors } from '../../api/objects/names.js';
import { arrayAt, stringAt, type JsonObject } from '../../base/json-object.js';

/** Returns the errors of spec.names or status.acceptedNames: ValidateCustomResourceDefinitionNames. */
export function nameProblems(names: JsonObject, path: string): FieldError[] {
  const label = (key: string, value: string): FieldError[] => labelProblems(`${path}.${key}`, value, value);
  const mixed = (key: string, value: string): FieldError[] =>
    labelProblems(`${path}.${key}`, value, value.toLowerCase(), 'may have mixed case, but should otherwise match: ');
  const [plural, singular, kind, listKind] = ['plural', 'singular', 'kind', 'listKind'].map((key) =>
    stringAt(names, key),
  ) as [string, string, string, string];
  return [
    ...(plural === '' ? [] : label('plural', plural)),
    ...(singular === '' ? [] : label('singular', singular)),
    ...(kind === '' ? [] : mixed('kind', kind)),
    ...(listKind === '' ? [] : mixed('listKind', listKind)),
    ...arrayAt(names, 'shortNames').flatMap((name, index) => label(`shortNames[${index}]`, String(name))),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...arrayAt(names, 'categories').flatMap((name, index) => label(`categories[${index}]`, String(name))),
  ];
}

function labelProblems(field: string, value: string, checked: string, intro = ''): FieldError[] {
  const errors = dns1035LabelErrors(checked);
  return errors.length === 0 ? [] : [invalidValue(field, value, intro + errors.join(','))];
}

/** Returns errors for missing required names. */
export function missingNames(names: JsonObject): FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((key) => stringAt(names, key) === '')
    .map((key) => required(`spec.names.${key}`));
}
