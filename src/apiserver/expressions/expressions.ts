import { declaredTypeName, DYN, isSameType, type CelType } from '../../crd/cel/check/cel-type.js';
import type { CheckedExpression } from '../../crd/cel/check/checker.js';
import { programError } from '../../crd/cel/evaluate/program-error.js';
import { compileExpression, outputType } from '../../crd/cel/compile-expression.js';
import { CelError, type CelValue } from '../../crd/cel/values/cel-value.js';
import { evaluate } from '../../crd/cel/evaluate/evaluator.js';
import { objectsAsMaps } from '../../crd/cel/syntax/object-literals.js';
import type { Declarations } from './policy-declarations.js';

/** Values by variable name. */
export type Variables = Readonly<Record<string, CelValue>>;

const MAX_COMPILED = 1000;

/** Compiles and evaluates expressions over the same variables; each expression is compiled once. */
export class Expressions {
  private readonly compiled = new Map<string, CheckedExpression | string>();

  /** @param buildObjects enables the types `Object{…}` and `JSONPatch{…}` */
  constructor(
    private readonly declarations: Declarations,
    private readonly buildObjects = false,
  ) {}

  /**
   * Returns the compilation error of an expression; undefined if it is valid.
   * @param outputs the allowed result types; default: any
   */
  problem(source: string, outputs: readonly CelType[] = []): string | undefined {
    const compiled = this.compile(source);
    if (typeof compiled === 'string') return compiled;
    const output = outputType(compiled) ?? DYN;
    if (outputs.length === 0 || outputs.some((type) => isSameType(type, output))) return undefined;
    const names = outputs.map(declaredTypeName);
    const wanted = names.length === 1 ? names.join() : `one of [${names.join(' ')}]`;
    return `must evaluate to ${wanted} but got ${declaredTypeName(output)}`;
  }

  /** Returns the result type; undefined for an invalid expression. */
  typeOf(source: string): CelType | undefined {
    const compiled = this.compile(source);
    return typeof compiled === 'string' ? undefined : outputType(compiled);
  }

  /** @throws Error that contains the expression */
  evaluate(source: string, variables: Variables): CelValue {
    const value = this.valueOf(source, variables);
    if (value instanceof CelError)
      throw new Error(`expression '${source}' resulted in error: ${value.message}`, { cause: value });
    return value;
  }

  /** Returns the value, or the evaluation error as a value. */
  valueOf(source: string, variables: Variables): CelValue {
    const compiled = this.compile(source);
    if (typeof compiled === 'string') throw new Error(`compilation error: ${compiled}`);
    return evaluate(compiled, variables);
  }

  private compile(source: string): CheckedExpression | string {
    let found = this.compiled.get(source);
    if (found === undefined) {
      if (this.compiled.size >= MAX_COMPILED) this.compiled.clear();
      this.compiled.set(source, (found = compile(source, this.declarations, this.buildObjects)));
    }
    return found;
  }
}

function compile(source: string, declarations: Declarations, buildObjects: boolean): CheckedExpression | string {
  // The members of objects keep their types when objects are maps.
  const checked = buildObjects
    ? compileExpression(objectsAsMaps(source), declarations, { mixed: true })
    : compileExpression(source, declarations);
  if (typeof checked === 'string') return `compilation failed: ${checked}`;
  const problem = programError(checked);
  return problem === undefined ? checked : `program instantiation failed: ${problem}`;
}
