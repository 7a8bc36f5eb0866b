import type { DeclaredType } from '../declared-type.js';
import type { Problem } from '../model-error.js';
import type { ValueOptions } from '../decorators/field-options.js';
import { literalText } from './literal-text.js';
import type { ValueModel } from './value-model.js';

/** Differences between a property's TypeScript declaration and its schema. */
export function* declarationProblems(
  declared: DeclaredType,
  value: ValueModel,
  options: ValueOptions,
  name: string,
): Generator<Problem> {
  if (value.schema || isAnything(value)) return;
  if (declared.isNullable && value.rules.nullable !== true)
    yield [
      'is declared with null, which the schema does not allow',
      `@Field({ nullable: true }) ${name}, or remove null`,
    ];
  if (declared.isTuple)
    yield [
      'is a tuple, and all items of an array must have one type',
      'use a class with a field for each item, or an array of one type',
    ];
  // With an explicit type the declaration is narrower on purpose.
  if (options.type === undefined && value.rules.enum === undefined) yield* missingValues(declared, value, name);
}

function* missingValues({ literals, enumName }: DeclaredType, value: ValueModel, name: string): Generator<Problem> {
  const any = `but the schema would allow any ${value.type ?? 'value'}`;
  if (literals)
    yield [
      `is declared with ${literals.length} values, ${any}`,
      `@Field({ enum: [${literals.map(literalText).join(', ')}] }) ${name}, or type: ${typeName(value)} for any`,
    ];
  if (enumName !== undefined)
    yield [`is declared as enum ${enumName}, ${any}`, `@Field({ enum: ${enumName} }) ${name}`];
}

function isAnything({ type, rules }: ValueModel): boolean {
  return type === undefined && rules['x-kubernetes-int-or-string'] !== true;
}

function typeName({ type }: ValueModel): string {
  return type === 'string' ? 'String' : `'${type ?? 'string'}'`;
}
