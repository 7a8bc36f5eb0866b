import type { UnionOptions } from '../decorators/rules/class-rule.js';
import type { Problem } from '../model-error.js';
import type { FieldModel } from './value-model.js';

/** What keeps a union from having a value for each member, and a member for each field. */
export function* unionProblems(
  { discriminator, members }: UnionOptions,
  fields: readonly FieldModel[],
): Generator<Problem> {
  const names = Object.values(members);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    yield [`names ${repeated} for more than one member, and they would forbid it to each other`, 'a field for each'];
  const field = fields.find(({ name }) => name === discriminator);
  if (!field || field.value.schema) return;
  const values = field.value.rules.enum;
  const all = new Set([...(values ?? []), ...Object.keys(members)]);
  const hint = `@Field({ enum: [${[...all].map((value) => `'${String(value)}'`).join(', ')}] }) ${discriminator}`;
  if (!values) yield [`takes any value of ${discriminator}, and has fields for some`, hint];
  for (const member of Object.keys(members))
    if (values && !values.includes(member))
      yield [`has a member ${member}, which is no value of ${discriminator}`, hint];
}
