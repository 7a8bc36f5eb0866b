import type { ValidationRule } from '../../api/schema/json-schema.js';
import { optionalOf, STRING, type CelType } from './check/cel-type.js';
import type { CheckedExpression } from './check/checker.js';
import { MAX_REQUEST, type DeclType } from './check/decl-type.js';
import { programError } from './evaluate/program-error.js';
import { compileExpression, outputType } from './compile-expression.js';
import { estimateCost } from './cost/cost-estimator.js';

/** A rule compiled without an object: Compile of apiextensions' schema/cel/compilation.go. */
export interface CompiledExpressions {
  readonly rule: CheckedExpression | undefined;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  /** Maximum cost of one evaluation. */
  readonly cost: number;
  /** Maximum number of evaluations in an object of the maximum size. */
  readonly cardinality: number;
  readonly message: CheckedExpression | undefined;
  readonly messageError?: string;
  readonly messageCost: number;
}

const NOTHING = { rule: undefined, message: undefined, usesOldSelf: false, cost: 0, cardinality: 0, messageCost: 0 };

export function compileRule(rule: ValidationRule, type: DeclType): CompiledExpressions {
  if (rule.rule.trim() === '') return NOTHING;
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(type.type) : type.type;
  const variables = { self: type.type, oldSelf };
  const checked = compileExpression(rule.rule, variables);
  if (typeof checked === 'string') return { ...NOTHING, error: `compilation failed: ${checked}` };
  if (outputType(checked)?.kind !== 'bool') return { ...NOTHING, error: 'cel expression must evaluate to a bool' };
  const problem = programError(checked);
  const usesOldSelf = checked.variables.has('oldSelf');
  if (problem !== undefined) return { ...NOTHING, usesOldSelf, error: `program instantiation failed: ${problem}` };
  return {
    rule: checked,
    usesOldSelf,
    cost: estimateCost(checked, type),
    cardinality: Math.trunc(MAX_REQUEST / (type.minSize + 1)),
    ...compileMessage(rule.messageExpression, variables, type),
  };
}

function compileMessage(
  source: string | undefined,
  variables: Readonly<Record<string, CelType>>,
  type: DeclType,
): Pick<CompiledExpressions, 'message' | 'messageError' | 'messageCost'> {
  const none = { message: undefined, messageCost: 0 };
  if (source === undefined || source === '') return none;
  const checked = compileExpression(source, variables);
  if (typeof checked === 'string') return { ...none, messageError: `messageExpression compilation failed: ${checked}` };
  if (outputType(checked)?.kind !== STRING.kind)
    return { ...none, messageError: 'messageExpression must evaluate to a string' };
  const problem = programError(checked);
  if (problem !== undefined) return { ...none, messageError: `messageExpression instantiation failed: ${problem}` };
  return { message: checked, messageCost: estimateCost(checked, type) };
}
