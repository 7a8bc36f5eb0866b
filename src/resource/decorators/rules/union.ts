import { fieldAccess, hasField, stringLiteral } from './cel-expressions.js';
import { assertCalled, metadataKey } from '../../metadata.js';
import { addClassRule, type ClassRule, type UnionOptions } from './class-rule.js';
import type { ClassRuleDecorator } from './one-of-rule.js';

/** Holds no entries: the decorator adds rules. */
const UNION = metadataKey<never>('union');

/**
 * A union: the discriminator selects the one member field that is set.
 *
 * The discriminator is an enum. With a value that does not name a member, no member may be set.
 *
 * @example
 * `@Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })`
 */
export function Union(union: UnionOptions): ClassRuleDecorator {
  assertCalled(UNION, union);
  return (target) => {
    addClassRule(target, { decorator: '@Union', ...rulesOf(union), union });
  };
}

/** Options that are missing have a diagnostic of their own. */
function rulesOf(union: Partial<UnionOptions> | undefined): Pick<ClassRule, 'rules' | 'fields' | 'optionalFields'> {
  const { discriminator, members } = union ?? {};
  if (discriminator === undefined || members === undefined) return { rules: [] };
  const fields = Object.values(members);
  const rules = Object.entries(members).map(([value, field]) => {
    const isChosen = `${hasField(discriminator)} && ${fieldAccess(discriminator)} == ${stringLiteral(value)}`;
    return {
      rule: `${isChosen} ? ${hasField(field)} : !${hasField(field)}`,
      message: `${field} is required when ${discriminator} is ${value}, and forbidden otherwise`,
    };
  });
  return { rules, fields: [discriminator, ...fields], optionalFields: fields };
}
