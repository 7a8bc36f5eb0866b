import type { UnionOptions } from '../decorators/rules/class-rule.js';
import type { Problem } from '../model-error.js';
import type { FieldModel } from './value-model.js';

/** Validates that a union has a discriminator value for each member and a field for each value. */
export function* unionProblems(
  { discriminator, members }: UnionOptions,
  fields: readonly FieldModel[],
): Generator<Problem> {
  const names = Object.values(members);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    yield [`references field "${repeated}" for several members`, 'use a field for each member'];
  const field = fields.find(({ name }) => name === discriminator);
  if (!field || field.value.schema) return;
  const values = field.value.rules.enum;
  const all = new Set([...(values ?? []), ...Object.keys(members)]);
  const hint = `@Field({ enum: [${[...all].map((value) => `'${String(value)}'`).join(', ')}] }) ${discriminator}`;
  if (!values) yield [`requires ${discriminator} to be an enum`, hint];
  for (const member of Object.keys(members))
    if (values && !values.includes(member))
      yield [`has member "${member}", which is not a value of ${discriminator}`, hint];
}
