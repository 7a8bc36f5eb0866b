import type { DefinitionVersion } from '../api/kinds/definition-parts.js';
import type { JsonSchema } from '../api/schema/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';
import { compareSchemas } from './compare-schemas.js';

/** Compares two states of one version of a definition. */
export function compareDefinitionVersions(old: DefinitionVersion, next: DefinitionVersion, log: ChangeLog): void {
  compareServing(old, next, log);
  compareStatus(old.subresources?.status, next.subresources?.status, log);
  compareScale(old.subresources?.scale, next.subresources?.scale, log);
  compareSelectableFields(old.selectableFields, next.selectableFields, log);
  if (!deepEqual(old.additionalPrinterColumns ?? [], next.additionalPrinterColumns ?? []))
    log.add('safe', 'printer columns changed');
  compareOpenApi(schemaOf(old), schemaOf(next), log);
}

function schemaOf({ schema }: DefinitionVersion): JsonSchema {
  return schema?.openAPIV3Schema ?? {};
}

function compareServing(old: DefinitionVersion, next: DefinitionVersion, log: ChangeLog): void {
  if (old.served && !next.served) log.add('breaking', 'version is no longer served');
  if (!old.served && next.served) log.add('safe', 'version is now served');
  if (!old.deprecated && next.deprecated) log.add('safe', 'version is now deprecated');
}

function compareOpenApi(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  compareSchemas(old, next, log);
  if (!deepEqual(old, next) && deepEqual(undocumented(old), undocumented(next)))
    log.add('safe', 'only descriptions and examples changed');
}

function compareStatus(old: unknown, next: unknown, log: ChangeLog): void {
  if (old && !next) log.add('breaking', 'status subresource removed');
  if (!old && next) log.add('breaking', 'status is now a subresource; writes to the main resource ignore it');
}

function compareScale(old: object | undefined, next: object | undefined, log: ChangeLog): void {
  if (!old && next) log.add('safe', 'scale subresource added');
  else if (old && !next) log.add('breaking', 'scale subresource removed');
  else if (!deepEqual(old, next)) log.add('breaking', 'scale subresource paths changed');
}

type SelectableFields = DefinitionVersion['selectableFields'];

function compareSelectableFields(old: SelectableFields = [], next: SelectableFields = [], log: ChangeLog): void {
  const before = old.map(({ jsonPath }) => jsonPath);
  const after = next.map(({ jsonPath }) => jsonPath);
  for (const path of before) if (!after.includes(path)) log.at(path).add('breaking', 'selectable field removed');
  for (const path of after) if (!before.includes(path)) log.at(path).add('safe', 'selectable field added');
}

const DOCUMENTATION = new Set(['description', 'title', 'example', 'externalDocs']);

/** Returns a schema without the keywords that do not affect validation. */
function undocumented(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => !DOCUMENTATION.has(keyword))),
    ...(properties && { properties: eachUndocumented(properties) }),
    ...(items && { items: undocumented(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: undocumented(additionalProperties) }
      : { additionalProperties }),
  } as JsonSchema;
}

function eachUndocumented(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, undocumented(schema)]));
}
