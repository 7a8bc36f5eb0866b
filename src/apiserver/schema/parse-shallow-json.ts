import { parseJson } from '../../base/json.js';
import { jsonSyntaxProblem, MAX_DEPTH } from './json-syntax-problem.js';

/**
 * Parses JSON from clients with the depth limit of Go's decoder.
 * @throws SyntaxError
 */
export function parseShallowJson(text: string): unknown {
  const problem = mayBeDeep(text) ? jsonSyntaxProblem(text) : undefined;
  if (problem !== undefined) throw new SyntaxError(problem);
  return parseJson(text);
}

/** Returns whether a text has enough brackets to exceed the depth limit; the complete check is slower. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if ((letter === 0x5b || letter === 0x7b) && ++opened > MAX_DEPTH) return true;
  }
  return false;
}
