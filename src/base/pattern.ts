import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

const load = createRequire(import.meta.url);
const compiled = new Map<string, RE2JS>();
/** Patterns also come from objects, by way of CEL, so their number is unbounded. */
const MAX_COMPILED = 5000;

/**
 * Compiles a pattern in RE2 syntax; the engine is loaded on first use. It runs in linear time for every pattern.
 *
 * @throws Error with RE2's message for an invalid pattern.
 */
export function compilePattern(source: string): RE2JS {
  let pattern = compiled.get(source);
  if (!pattern) {
    const { RE2JS: engine } = load('re2js') as { RE2JS: typeof RE2JS };
    pattern = engine.compile(source);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, pattern);
  }
  return pattern;
}

/** Returns true if an action compiles a pattern, which loads the engine. */
export function compilesPatterns(action: () => void): boolean {
  compiled.clear();
  action();
  return compiled.size > 0;
}

/** Returns RE2's error for an invalid pattern; undefined for a valid one. */
export function patternError(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
