import { definitionName } from '../../api/kinds/definition.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import * as kinds from '../../api/kinds/kinds.js';
import { type BuiltInClass, BuiltInClasses } from '../../import-crd/classes/built-in-classes.js';
import type { Vocabulary } from '../../import-crd/import-definitions.js';
import { openApiSchema } from '../../manifests/crd/schema.js';
import { CustomResource } from '../../resource/custom-resource.js';
import { Field } from '../../resource/decorators/field.js';
import { Kind } from '../../resource/decorators/kind.js';
import { Condition } from '../../resource/definitions/condition.js';
import { definitionsData, isObjectMeta } from '../../resource/definitions/definitions-data.js';
import * as kubernetesDefinitions from '../../resource/definitions/kubernetes-definitions.js';
import { LabelSelector, LabelSelectorRequirement } from '../../resource/definitions/label-selector.js';
import { buildResourceModels } from '../../resource/build-models.js';

/** The classes of the package that fields can have, nested ones first. */
const CLASSES = { Condition, LabelSelectorRequirement, LabelSelector };

/** The package's schemas of fields that many kinds have, read from a kind with all of them. */
export function packageVocabulary(): Vocabulary {
  abstract class Probe extends CustomResource {}
  for (const [name, type] of Object.entries(CLASSES)) Field({ type })(Probe.prototype, name);
  Kind({ group: 'probe.example.com', version: 'v1' })(Probe);
  const { properties = {} } = probed(Probe);
  const { apiVersion = {}, kind = {}, metadata = {}, ...schemas } = properties;
  return {
    builtIns: new BuiltInClasses([
      ...Object.entries(schemas).map(([name, schema]) => ({ name, schema, options: {} })),
      ...definitionClasses(),
    ]),
    commonFields: { apiVersion, kind, metadata },
  };
}

function probed(probe: abstract new () => CustomResource): JsonSchema {
  const [model] = buildResourceModels([probe]);
  return model ? openApiSchema(model) : {};
}

/** Kubernetes' own types with fields, stable versions first, then those without the fields of embedded metadata. */
function definitionClasses(): BuiltInClass[] {
  const { definitions } = definitionsData();
  const found = [
    ...exportedBy('kindwright', kinds),
    ...exportedBy('kindwright/definitions', kubernetesDefinitions),
  ].sort((a, b) => rank(a.fullName) - rank(b.fullName));
  const all = [new DefinitionSchemas(true), new DefinitionSchemas(false)];
  return all.flatMap((schemas) =>
    found.flatMap(({ name, fullName, from }) => {
      const row = definitions[fullName];
      const schema = typeof row === 'number' ? schemas.schema(row) : undefined;
      const options = schemas.hasObjectMeta ? {} : { embeddedObjectMeta: false };
      return schema?.properties ? [{ name, schema, from, options }] : [];
    }),
  );
}

function exportedBy(from: NonNullable<BuiltInClass['from']>, entry: Readonly<Record<string, unknown>>) {
  return Object.entries(entry).map(([name, type]) => ({ name, fullName: definitionName(type) ?? '', from }));
}

function rank(fullName: string): number {
  return /\.v\d+\.\w+$/.test(fullName) ? 0 : 1;
}

class DefinitionSchemas {
  private readonly schemas = new Map<number, JsonSchema>();

  constructor(readonly hasObjectMeta: boolean) {}

  /** Returns one object for equal schemas, so that equal parts are compared once. */
  schema(index: number): JsonSchema {
    let schema = this.schemas.get(index);
    if (!schema) this.schemas.set(index, (schema = this.makeSchema(index)));
    return schema;
  }

  private makeSchema(index: number): JsonSchema {
    const row = definitionsData().rows[index] ?? {};
    const { properties, items, additionalProperties, ...own } = row;
    if (properties && !this.hasObjectMeta && isObjectMeta(row)) return own;
    const fields = Object.entries(properties ?? {}).map(([name, below]) => [name, this.schema(below)] as const);
    return {
      ...own,
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(items !== undefined && { items: this.schema(items) }),
      ...(additionalProperties !== undefined && { additionalProperties: this.schema(additionalProperties) }),
    };
  }
}
