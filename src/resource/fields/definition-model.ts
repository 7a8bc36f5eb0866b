import { definitionsData } from '../definitions/definitions-data.js';
import { shortName } from '../definitions/definition.js';
import type { ClassModel, FieldModel, ValueModel } from './value-model.js';

/** The model of a definition's values, or the reason why it has none, as the end of a sentence. */
export function definitionModel(name: string): ValueModel | string {
  const row = definitionsData().definitions[name] ?? 'is not known to this version';
  if (typeof row === 'string') return row;
  const model = rowModel(row);
  return { ...model, class: model.class && { ...model.class, className: shortName(name) } };
}

const models = new Map<number, ValueModel>();

/** A model is used wherever its schema is: the tree of a Pod has few models and thousands of places. */
function rowModel(index: number): ValueModel {
  let model = models.get(index);
  if (!model) models.set(index, (model = makeModel(index)));
  return model;
}

function makeModel(index: number): ValueModel {
  const row = definitionsData().rows[index];
  if (!row) throw new Error(`the schemas of Kubernetes have no row ${index}`);
  const { type, description, properties, required, items, additionalProperties, ...rules } = row;
  return Object.freeze({
    type,
    description,
    rules,
    class: properties && structModel(properties, required),
    items: items === undefined ? undefined : rowModel(items),
    values: additionalProperties === undefined ? undefined : rowModel(additionalProperties),
  });
}

function structModel(properties: Readonly<Record<string, number>>, required: readonly string[] = []): ClassModel {
  const fields = Object.entries(properties).map(([name, row]): FieldModel => {
    return { name, isRuntimeOnly: false, isRequired: required.includes(name), value: rowModel(row) };
  });
  return Object.freeze({
    target: Object,
    className: '',
    description: undefined,
    structType: undefined,
    rules: {},
    required,
    maxDescriptionLength: undefined,
    fields,
  });
}
