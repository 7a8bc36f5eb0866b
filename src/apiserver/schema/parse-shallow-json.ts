import { parseJson } from '../../base/json.js';
import { jsonSyntaxProblem, MAX_DEPTH } from './json-syntax-problem.js';

/**
 * Parses what clients send, which Go's decoder does not follow to any depth.
 *
 * @throws SyntaxError
 */
export function parseShallowJson(text: string): unknown {
  const problem = mayBeDeep(text) ? jsonSyntaxProblem(text) : undefined;
  if (problem !== undefined) throw new SyntaxError(problem);
  return parseJson(text);
}

/** Whether as much is opened as may be too deep: a look at each letter takes time. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if ((letter === 0x5b || letter === 0x7b) && ++opened > MAX_DEPTH) return true;
  }
  return false;
}
