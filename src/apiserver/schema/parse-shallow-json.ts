import { parseJson } from '../../base/json.js';
import { isTooDeep } from '../../base/nesting-depth.js';
import { jsonSyntaxProblem } from './json-syntax-problem.js';

/**
 * Parses JSON from clients with the depth limit of Go's decoder.
 * @throws SyntaxError
 */
export function parseShallowJson(text: string): unknown {
  const problem = isTooDeep(text) ? jsonSyntaxProblem(text) : undefined;
  if (problem !== undefined) throw new SyntaxError(problem);
  return parseJson(text);
}
