import type { JsonSchema } from '../../api/json-schema.js';
import type { BuiltInClass } from '../../import-crd/classes/built-in-classes.js';
import { definitionName } from '../../resource/definitions/definition.js';
import { definitionsData } from '../../resource/definitions/definitions-data.js';
import * as kubernetesDefinitions from '../../resource/definitions/kubernetes-definitions.js';

/** Kubernetes' own types with fields, stable versions first. */
export function definitionClasses(): BuiltInClass[] {
  const { definitions } = definitionsData();
  const found = Object.entries(kubernetesDefinitions).flatMap(([name, type]) => {
    const fullName = definitionName(type) ?? '';
    const row = definitions[fullName];
    const schema = typeof row === 'number' ? rowSchema(row) : undefined;
    return schema?.properties ? [{ fullName, builtIn: { name, schema, from: FROM } }] : [];
  });
  return found.sort((a, b) => rank(a.fullName) - rank(b.fullName)).map(({ builtIn }) => builtIn);
}

const FROM: BuiltInClass['from'] = 'kindwright/definitions';

function rank(fullName: string): number {
  return /\.v\d+\.\w+$/.test(fullName) ? 0 : 1;
}

const schemas = new Map<number, JsonSchema>();

/** Returns one object for equal schemas, so that equal parts are compared once. */
function rowSchema(index: number): JsonSchema {
  let schema = schemas.get(index);
  if (!schema) schemas.set(index, (schema = makeSchema(index)));
  return schema;
}

function makeSchema(index: number): JsonSchema {
  const { properties, items, additionalProperties, ...own } = definitionsData().rows[index] ?? {};
  const fields = Object.entries(properties ?? {}).map(([name, row]) => [name, rowSchema(row)] as const);
  return {
    ...own,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: rowSchema(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: rowSchema(additionalProperties) }),
  };
}
