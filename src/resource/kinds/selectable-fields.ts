import { SELECTABLE_FIELD, type SelectableFieldEntry } from '../decorators/selectable-field.js';
import type { ClassModel, ValueModel } from '../fields/value-model.js';
import { inheritedMetadata } from '../metadata.js';
import type { Mistakes } from '../mistakes.js';
import type { Place, Problem } from '../model-error.js';
import { classesBelow, follow, pathsOf } from './field-paths.js';

/** MaxSelectableFields in apiextensions. */
const MAX_FIELDS = 8;
const TYPES: readonly unknown[] = ['string', 'boolean', 'integer'];

/** A path, and where it is asked for. */
interface Selection {
  readonly place: Place;
  readonly jsonPath: string;
  readonly value: ValueModel | undefined;
}

/** The paths that objects of a kind can be selected by. */
export function selectableFieldsOf(target: object, root: ClassModel, mistakes: Mistakes): string[] {
  const selections = [...classSelections(target, root, mistakes), ...propertySelections(root, mistakes)];
  const paths = selections.map(({ jsonPath }) => jsonPath);
  for (const [index, { place, jsonPath, value }] of selections.entries()) {
    if (value && !value.schema && !TYPES.includes(value.type))
      wrong(mistakes, place, [`${jsonPath} is no string, integer or boolean`, 'select by a field that is one']);
    if (paths.indexOf(jsonPath) < index) wrong(mistakes, place, [`${jsonPath} is there twice`, 'remove one']);
  }
  const { className } = root;
  if (paths.length > MAX_FIELDS)
    wrong(mistakes, { className }, [
      `there are ${paths.length}, and the API server takes ${MAX_FIELDS}`,
      'remove some',
    ]);
  return paths;
}

function classSelections(target: object, root: ClassModel, mistakes: Mistakes): Selection[] {
  const place = { className: root.className };
  return inheritedMetadata(SELECTABLE_FIELD, target).flatMap(({ jsonPath }) => {
    if (jsonPath === undefined) return [];
    const { value, missing } = follow(jsonPath, root);
    if (!/^\.[A-Za-z][^[\]*]*$/.test(jsonPath) || jsonPath.startsWith('.metadata'))
      wrong(mistakes, place, [`'${jsonPath}' is no path of fields outside of metadata`, `'.spec.zone'`]);
    else if (missing !== undefined)
      wrong(mistakes, place, [`'${jsonPath}' leads to no field: there is no ${missing}`, `'.spec.zone'`]);
    else return [{ place, jsonPath, value }];
    return [];
  });
}

function propertySelections(root: ClassModel, mistakes: Mistakes): Selection[] {
  return [...propertyEntries(root)].flatMap(([entry, { className }]) => {
    const { property = '' } = entry;
    const place = { className, member: property };
    const paths = pathsOf(root, (model) => entriesOf(model).includes(entry), property);
    if (paths.length === 0) wrong(mistakes, place, ['is before no @Field', `@Field() ${property}`]);
    if (paths.some(({ isRepeated }) => isRepeated))
      wrong(mistakes, place, ['is in a list or map', 'select by a field that is in none']);
    return paths.filter(({ isRepeated }) => !isRepeated).map(({ jsonPath, value }) => ({ place, jsonPath, value }));
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

function wrong(mistakes: Mistakes, place: Place, [problem, hint]: Problem): void {
  mistakes.add(place, `@SelectableField: ${problem}`, hint);
}
