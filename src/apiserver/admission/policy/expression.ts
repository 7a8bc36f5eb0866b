import { celEnvironment } from '../../../crd/cel/cel-environment.js';
import { toCel } from '../../../crd/cel/cel-value.js';
import type { JsonObject } from '../../object.js';

type Evaluate = (context: Record<string, unknown>) => unknown;

const MAX_COMPILED = 1000;
const compiled = new Map<string, Evaluate>();

/** Evaluates a CEL expression; throws an Error with the first line of what is wrong. */
export function evaluate(expression: string, variables: Record<string, unknown>): unknown {
  try {
    return compile(expression)(variables);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    throw new Error(`expression '${expression}' resulted in error: ${line}`, { cause: error });
  }
}

/** Compiles an expression, once. */
export function compile(expression: string): Evaluate {
  let found = compiled.get(expression);
  if (!found) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    found = celEnvironment().parse(expression) as Evaluate;
    compiled.set(expression, found);
  }
  return found;
}

/** An object as an expression sees it. */
export function celObject(object: JsonObject | null | undefined): unknown {
  return object ? toCel(undefined, object) : null;
}
