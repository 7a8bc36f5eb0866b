import { JsonPathError } from './json-path-error.js';
import { JsonPathParser } from './json-path-parser.js';
import { walk } from './json-path-steps.js';

/** Returns all values at a path; empty when the path cannot be resolved. */
export type JsonPathReader = (root: unknown) => unknown[];

/**
 * Compiles kubectl's JSONPath, the syntax of printer columns and selectable fields; undefined when the path is
 * invalid.
 */
export function compileJsonPath(text: string): JsonPathReader | undefined {
  const steps = attempt(() => new JsonPathParser(text).parse());
  return steps && ((root) => attempt(() => walk(steps, [root])) ?? []);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}
