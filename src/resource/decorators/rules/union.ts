import { fieldAccess, hasField, stringLiteral } from '../../fields/cel-expressions.js';
import { addClassRule, type UnionOptions } from './class-rule.js';
import type { ClassRuleDecorator } from './one-of-rule.js';

/**
 * A union: the discriminator selects the one member field that is set.
 *
 * The discriminator is an enum. With a value that does not name a member, no member may be set.
 *
 * @example
 * `@Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })`
 */
export function Union(union: UnionOptions): ClassRuleDecorator {
  const { discriminator, members } = union;
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
      union,
    });
  };
}
