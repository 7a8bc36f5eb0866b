import { SELECTABLE_FIELD, type SelectableFieldEntry } from '../decorators/selectable-field.js';
import type { ClassModel, ValueModel } from '../fields/value-model.js';
import { decoratorUse, inheritedMetadata } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { classesBelow, lookUpFieldPath, pathsOf } from './field-paths.js';

/** MaxSelectableFields in apiextensions. */
const MAX_FIELDS = 8;
const TYPES: readonly unknown[] = ['string', 'boolean', 'integer'];

/** A path and the declaration that selects it. */
interface Selection {
  readonly location: Location;
  readonly jsonPath: string;
  readonly value: ValueModel | undefined;
}

/** The paths for field selectors of a kind. */
export function selectableFieldsOf(target: object, root: ClassModel, diagnostics: Diagnostics): string[] {
  const selections = [...classSelections(target, root, diagnostics), ...propertySelections(root, diagnostics)];
  const paths = selections.map(({ jsonPath }) => jsonPath);
  for (const [index, { location, jsonPath, value }] of selections.entries()) {
    if (value && !value.schema && !TYPES.includes(value.type))
      report(diagnostics, location, [
        `${jsonPath} is not a string, integer or boolean`,
        'select a field of one of these types',
      ]);
    if (paths.indexOf(jsonPath) < index) report(diagnostics, location, [`duplicate path ${jsonPath}`, 'remove one']);
  }
  if (paths.length > MAX_FIELDS)
    report(diagnostics, { target: root.target }, [
      `${paths.length} selectable fields, and the API server allows ${MAX_FIELDS}`,
      'remove some',
    ]);
  return paths;
}

function classSelections(target: object, root: ClassModel, diagnostics: Diagnostics): Selection[] {
  return inheritedMetadata(SELECTABLE_FIELD, target).flatMap(({ jsonPath }, index) => {
    if (jsonPath === undefined) return [];
    const location = { target: root.target, decorator: decoratorUse(SELECTABLE_FIELD, target, index) };
    const { value, missing } = lookUpFieldPath(jsonPath, root);
    if (!/^\.[A-Za-z][^[\]*]*$/.test(jsonPath) || jsonPath.startsWith('.metadata'))
      report(diagnostics, location, [`"${jsonPath}" is not a path of fields outside of metadata`, `'.spec.zone'`]);
    else if (missing !== undefined)
      report(diagnostics, location, [`"${jsonPath}" references unknown field "${missing}"`, `'.spec.zone'`]);
    else return [{ location, jsonPath, value }];
    return [];
  });
}

function propertySelections(root: ClassModel, diagnostics: Diagnostics): Selection[] {
  return [...propertyEntries(root)].flatMap(([entry, { target }]) => {
    const { property = '' } = entry;
    const location = { target, member: property };
    const paths = pathsOf(root, (model) => entriesOf(model).includes(entry), property);
    if (paths.length === 0)
      report(diagnostics, location, ['requires @Field on the same property', `@Field() ${property}`]);
    if (paths.some(({ isRepeated }) => isRepeated))
      report(diagnostics, location, ['must not be in a list or map', 'select a field outside of lists and maps']);
    return paths.filter(({ isRepeated }) => !isRepeated).map(({ jsonPath, value }) => ({ location, jsonPath, value }));
  });
}

function entriesOf({ target }: ClassModel): readonly SelectableFieldEntry[] {
  return inheritedMetadata(SELECTABLE_FIELD, target);
}

function propertyEntries(root: ClassModel): ReadonlyMap<SelectableFieldEntry, ClassModel> {
  const found = new Map<SelectableFieldEntry, ClassModel>();
  for (const { classModel } of classesBelow(root)) {
    for (const entry of entriesOf(classModel))
      if (entry.property !== undefined && !found.has(entry)) found.set(entry, classModel);
  }
  return found;
}

function report(diagnostics: Diagnostics, location: Location, [problem, hint]: Problem): void {
  diagnostics.add(location, `@SelectableField: ${problem}`, hint);
}
