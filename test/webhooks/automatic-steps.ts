import { drop, each, keep, type ConversionStep } from '../../src/resource/decorators/conversion-step.js';
import { typeDifference } from '../../src/resource/conversion/type-difference.js';
import { isCommonField } from '../../src/resource/fields/common-fields.js';
import type { ClassModel, ValueModel } from '../../src/resource/fields/value-model.js';

interface Both<T> {
  readonly spoke: T | undefined;
  readonly hub: T | undefined;
}

/**
 * Steps between two versions that differ in the fields that they have: those of one version are kept, within the items of
 * lists dropped.
 *
 * @throws Error for a field with two different types, which needs a step that knows their meaning.
 */
export function automaticSteps(spoke: ClassModel, hub: ClassModel): ConversionStep[] {
  return [...ofFields({ spoke, hub }, '', false)];
}

function* ofFields(both: Both<ClassModel>, prefix: string, isItem: boolean): Generator<ConversionStep> {
  const fields = { spoke: fieldsOf(both.spoke), hub: fieldsOf(both.hub) };
  for (const name of new Set([...fields.spoke.keys(), ...fields.hub.keys()])) {
    if (prefix === '' && !isItem && isCommonField(name)) continue;
    const path = `${prefix}${name.replaceAll('.', String.raw`\.`)}`;
    yield* ofField({ spoke: fields.spoke.get(name), hub: fields.hub.get(name) }, path, isItem);
  }
}

function fieldsOf(object: ClassModel | undefined): ReadonlyMap<string, ValueModel> {
  return new Map(object?.fields.map(({ name, value }) => [name, value]));
}

function* ofField({ spoke, hub }: Both<ValueModel>, path: string, isItem: boolean): Generator<ConversionStep> {
  if (!spoke || !hub) yield isItem ? drop(path) : keep(path);
  else if (typeDifference(spoke, hub)) yield* ofTypes(spoke, hub, path, isItem);
}

function* ofTypes(spoke: ValueModel, hub: ValueModel, path: string, isItem: boolean): Generator<ConversionStep> {
  if (spoke.class && hub.class) yield* ofFields({ spoke: spoke.class, hub: hub.class }, `${path}.`, isItem);
  else if (spoke.items?.class && hub.items?.class)
    yield each(path, [...ofFields({ spoke: spoke.items.class, hub: hub.items.class }, '', true)]);
  else throw new Error(`${path} has another type in the other version`);
}
