import type { JsonSchema } from '../api/json-schema.js';
import { deepEqual } from '../base/deep-equal.js';
import type { ChangeLog } from './change-log.js';
import { compareSchemas } from './compare-schemas.js';
import type { DefinitionVersion } from '../api/definition-parts.js';
import { undocumented } from './undocumented.js';

/** Two states of one version of a definition. */
export function compareVersions(old: DefinitionVersion, next: DefinitionVersion, log: ChangeLog): void {
  compareServing(old, next, log);
  compareStatus(old.subresources?.status, next.subresources?.status, log);
  compareScale(old.subresources?.scale, next.subresources?.scale, log);
  compareSelectableFields(old.selectableFields, next.selectableFields, log);
  if (!deepEqual(old.additionalPrinterColumns ?? [], next.additionalPrinterColumns ?? []))
    log.add('safe', 'the columns that kubectl prints are others');
  compareOpenApi(schemaOf(old), schemaOf(next), log);
}

function schemaOf({ schema }: DefinitionVersion): JsonSchema {
  return schema?.openAPIV3Schema ?? {};
}

function compareServing(old: DefinitionVersion, next: DefinitionVersion, log: ChangeLog): void {
  if (old.served && !next.served) log.add('breaking', 'the version is no longer served');
  if (!old.served && next.served) log.add('safe', 'the version is served now');
  if (!old.deprecated && next.deprecated) log.add('safe', 'the version is deprecated now');
}

function compareOpenApi(old: JsonSchema, next: JsonSchema, log: ChangeLog): void {
  compareSchemas(old, next, log);
  if (!deepEqual(old, next) && deepEqual(undocumented(old), undocumented(next)))
    log.add('safe', 'only descriptions and examples differ');
}

function compareStatus(old: unknown, next: unknown, log: ChangeLog): void {
  if (old && !next) log.add('breaking', 'the status subresource is gone');
  if (!old && next)
    log.add('breaking', 'status is a subresource now: writes of it with the rest of the object are ignored');
}

function compareScale(old: object | undefined, next: object | undefined, log: ChangeLog): void {
  if (!old && next) log.add('safe', 'a new scale subresource');
  else if (old && !next) log.add('breaking', 'the scale subresource is gone');
  else if (!deepEqual(old, next)) log.add('breaking', 'the scale subresource has other paths');
}

type SelectableFields = DefinitionVersion['selectableFields'];

function compareSelectableFields(old: SelectableFields = [], next: SelectableFields = [], log: ChangeLog): void {
  const before = old.map(({ jsonPath }) => jsonPath);
  const after = next.map(({ jsonPath }) => jsonPath);
  for (const path of before) if (!after.includes(path)) log.at(path).add('breaking', 'can no longer be selected by');
  for (const path of after) if (!before.includes(path)) log.at(path).add('safe', 'can be selected by');
}
