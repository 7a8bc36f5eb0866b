import { ownMember } from '../../base/own-member.js';
import type { DeclaredType } from '../declared-type.js';
import type { Problem } from '../model-error.js';
import { literalText } from './literal-text.js';

const COMPILERS = 'tsc, swc or run-operator; esbuild and tsx emit no types';

/** The option `items` of arrays of primitive values. */
const ITEMS: Readonly<Record<string, string>> = {
  'string[]': 'String',
  'number[]': "{ type: 'integer', format: 'int32' }",
  'boolean[]': 'Boolean',
};

/** The problem of a property without type metadata; `isNumberStated` when options make a number's type known. */
export function noTypeProblem(member: string, { inferred }: DeclaredType, isNumberStated: boolean): Problem {
  if (inferred === undefined)
    return [
      'has no type metadata',
      `set "emitDecoratorMetadata": true and compile with ${COMPILERS}; or @Field({ type: … }) ${member}`,
    ];
  const problem = 'has no declared type, and the compiler records no inferred types';
  if (inferred === 'unknown') return [problem, `declare the type: ${member}: string, for example`];
  if (inferred === 'unknown[]') return [problem, `@Field({ items: String }) ${member}: string[] = …, for example`];
  const items = ownMember(ITEMS, inferred);
  if (items !== undefined) return [problem, `@Field({ items: ${items} }) ${member}: ${inferred} = …`];
  const option = inferred === 'number' && !isNumberStated ? `@Field({ format: 'int32' }) ` : '';
  return [problem, `declare the type: ${option}${member}: ${inferred} = …`];
}

/** The problem of a type that the compiler records as `Object` or `Array`. */
export function vagueTypeProblem(member: string, declared: DeclaredType, type: 'Object' | 'Array'): Problem {
  const { erased, option, literals } = declared;
  if (literals)
    return [
      'is declared as a union of literals',
      `@Field({ enum: [${literals.map(literalText).join(', ')}] }) ${member}`,
    ];
  if (erased) return erasedProblem(member, erased, option);
  if (type === 'Array') return ['is an array without item type', `@Field({ ${option ?? 'items: String'} }) ${member}`];
  const problem = 'has a type that decorator metadata does not contain: a record, a union, an interface or any';
  if (option === undefined) return [problem, generalHint(member)];
  return [problem, `@Field({ ${option}${declared.isNullable ? ', nullable: true' : ''} }) ${member}`];
}

function erasedProblem(
  member: string,
  { name, by }: NonNullable<DeclaredType['erased']>,
  option: string | undefined,
): Problem {
  const withOption = option === undefined || option.startsWith('type:') ? '' : `, and @Field({ ${option} }) ${member}`;
  if (by === 'interface')
    return [
      `is declared with interface ${name}, which does not exist at run time`,
      `class ${name} with @Field properties instead of the interface${withOption}`,
    ];
  if (by === 'object type')
    return ['is declared with an object type, which does not exist at run time', 'a class with @Field properties'];
  return [
    `is declared with ${name}, which is imported as a type only`,
    `import { ${name} } without type if it is a class or an enum${withOption}; ` +
      `@Field({ enum: […] }) ${member} if it is a union of literals`,
  ];
}

function generalHint(member: string): string {
  return (
    `@Field({ enum: […] }) ${member} for a union of literals, { values: String } for a record, ` +
    '{ type: String, nullable: true } for string | null, { type: () => Class } for a class, ' +
    'a class in place of an interface, { intOrString: true }, or { preserveUnknownFields: true } for any'
  );
}
