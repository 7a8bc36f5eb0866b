import { JsonPathError } from './json-path-error.js';
import { JsonPathParser } from './json-path-parser.js';
import { walk } from './json-path-steps.js';

/** All that a path leads to; nothing when it comes to what it cannot go on from. */
export type JsonPathReader = (root: unknown) => unknown[];

/** Compiles kubectl's JSONPath, which printer columns and selectable fields are given in; undefined when it is none. */
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
