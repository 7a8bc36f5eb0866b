import { definitionsData, isObjectMeta } from '../definitions/definitions-data.js';
import { shortName } from '../../api/kinds/definition.js';
import type { ClassModel, FieldModel, ValueModel } from './value-model.js';

/**
 * The model of a definition's values, or the reason why it has none, as the end of a sentence.
 *
 * @param hasObjectMeta false to leave out the fields of each `ObjectMeta`, which the API server then drops
 */
export function definitionModel(name: string, hasObjectMeta = true): ValueModel | string {
  const row = definitionsData().definitions[name] ?? 'is not known to this version';
  if (typeof row === 'string') return row;
  const model = (hasObjectMeta ? complete : withoutObjectMeta).model(row);
  return { ...model, class: model.class && { ...model.class, className: shortName(name) } };
}

/** Models by the row of their schema: the tree of a Pod has few models and thousands of places. */
class DefinitionModels {
  private readonly models = new Map<number, ValueModel>();

  constructor(private readonly hasObjectMeta: boolean) {}

  model(index: number): ValueModel {
    let model = this.models.get(index);
    if (!model) this.models.set(index, (model = this.makeModel(index)));
    return model;
  }

  private makeModel(index: number): ValueModel {
    const row = definitionsData().rows[index];
    if (!row) throw new Error(`the schemas of Kubernetes have no row ${index}`);
    const { type, description, properties, required, items, additionalProperties, ...rules } = row;
    return Object.freeze({
      type,
      description,
      rules,
      class:
        properties && (this.hasObjectMeta || !isObjectMeta(row)) ? this.structModel(properties, required) : undefined,
      items: items === undefined ? undefined : this.model(items),
      values: additionalProperties === undefined ? undefined : this.model(additionalProperties),
    });
  }

  private structModel(properties: Readonly<Record<string, number>>, required: readonly string[] = []): ClassModel {
    const fields = Object.entries(properties).map(([name, row]): FieldModel => {
      return { name, isRuntimeOnly: false, isRequired: required.includes(name), value: this.model(row) };
    });
    return Object.freeze({
      target: Object,
      className: '',
      description: undefined,
      rules: {},
      required,
      maxDescriptionLength: undefined,
      fields,
    });
  }
}

const complete = new DefinitionModels(true);
const withoutObjectMeta = new DefinitionModels(false);
