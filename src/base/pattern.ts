import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

const load = createRequire(import.meta.url);
const compiled = new Map<string, RE2JS>();
/** Patterns come from objects too, by way of CEL, and are then endless. */
const MAX_COMPILED = 5000;

/**
 * Compiles a pattern of RE2's syntax, loading the engine with the first. It runs in linear time, whoever wrote the pattern.
 *
 * @throws Error with RE2's message for what is none.
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

/** Why a pattern is none, in RE2's words; nothing when it is one. */
export function patternError(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
