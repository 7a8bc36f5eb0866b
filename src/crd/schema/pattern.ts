import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

const load = createRequire(import.meta.url);
const compiled = new Map<string, RE2JS>();

/** Compiles a pattern of RE2's syntax, loading the engine with the first; throws RE2's message for what is none. */
export function compilePattern(source: string): RE2JS {
  let pattern = compiled.get(source);
  if (!pattern) {
    const { RE2JS: engine } = load('re2js') as { RE2JS: typeof RE2JS };
    compiled.set(source, (pattern = engine.compile(source)));
  }
  return pattern;
}
