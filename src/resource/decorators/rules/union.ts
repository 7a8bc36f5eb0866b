import { fieldAccess, hasField, stringLiteral } from '../../fields/cel-expressions.js';
import { addClassRule } from './class-rule.js';
import type { ClassRuleDecorator } from './one-of-rule.js';

/** Which field goes with which value of the discriminator. */
export interface UnionOptions {
  /** The field that names the member in use. */
  readonly discriminator: string;
  /** Value of the discriminator -> the field that must be there then, and only then. */
  readonly members: Readonly<Record<string, string>>;
}

/**
 * A union: the discriminator says which one of the member fields is there.
 *
 * @example
 * `@Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })`
 */
export function Union({ discriminator, members }: UnionOptions): ClassRuleDecorator {
  const fields = Object.values(members);
  const rules = Object.entries(members).map(([value, field]) => {
    const isChosen = `${hasField(discriminator)} && ${fieldAccess(discriminator)} == ${stringLiteral(value)}`;
    return {
      rule: `${isChosen} ? ${hasField(field)} : !${hasField(field)}`,
      message: `${field} is required when ${discriminator} is ${value}, and forbidden otherwise`,
    };
  });
  return (target) => {
    addClassRule(target, {
      decorator: '@Union',
      rules,
      fields: [discriminator, ...fields],
      optionalFields: fields,
    });
  };
}
