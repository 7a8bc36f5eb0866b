import type { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, type JsonObject } from '../../object.js';
import { celEnvironment } from './cel-environment.js';

type Evaluate = (context: Record<string, unknown>) => unknown;

const MAX_COMPILED = 1000;
const compiled = new Map<string, Evaluate>();

let environment: Environment | undefined;

/** The environment of policies: objects they build have members of several types, as maps of CRD rules do not. */
function policyEnvironment(): Environment {
  return (environment ??= celEnvironment()
    .clone({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerFunction('escapeKey(string): string', escapeKey));
}

/** `jsonpatch.escapeKey`, under the name `objectsAsMaps` gives it. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Evaluates a CEL expression; throws an Error with the first line of what is wrong. */
export function evaluate(expression: string, variables: Record<string, unknown>): unknown {
  try {
    return compile(expression)(variables);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    const words = line.replace(/^No such key/, 'no such key');
    throw new Error(`expression '${expression}' resulted in error: ${words}`, { cause: error });
  }
}

/** Compiles an expression, once. */
function compile(expression: string): Evaluate {
  let found = compiled.get(expression);
  if (!found) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    found = policyEnvironment().parse(expression) as Evaluate;
    compiled.set(expression, found);
  }
  return found;
}

/** An object as an expression sees it. */
export function celObject(object: JsonObject | null | undefined): unknown {
  return object ? toCel(object) : null;
}

/** A JSON value with its whole numbers as ints. */
function toCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCel);
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toCel(one)]));
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** A value of an expression as JSON: integers of CEL are no numbers of JavaScript. */
export function fromCel(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromCel);
  if (value instanceof Map) return fromCel(Object.fromEntries(value));
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromCel(member)]));
}
