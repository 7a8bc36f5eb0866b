import type { Problem } from '../../resource/model-error.js';

const RULE = /x-kubernetes-validations\[\d+\]\.(rule|messageExpression)$/;
const BOUNDS = 'maxItems, maxProperties and maxLength on the lists, maps and strings that the rule looks at';
const CORRELATED = `listType: 'map' with listMapKeys for the list, or a rule about the list as a whole`;

/** What the API server has against a place of a schema, as a mistake and what to type instead; `path` may be empty. */
export function refusal(body: string, path: string): Problem {
  return ofRule(body, path) ?? [ofPlace(`the API server would refuse it: ${body}`, path), hintFor(path)];
}

function ofRule(body: string, path: string): Problem | undefined {
  const [, expression] = RULE.exec(path) ?? [];
  if (body.includes('oldSelf cannot be used'))
    return [ofPlace('its rule compares with an old value that cannot be found', path), CORRELATED];
  if (/rule cost|messageExpression cost/.test(body)) return [ofPlace(withoutAdvice(body), path), BOUNDS];
  // The server quotes the rule as a structure of Go before it says what is wrong with it.
  const at = body.search(/compilation failed: |cel expression must |messageExpression must evaluate /);
  if (expression === undefined || at < 0) return undefined;
  const [, error] = body.slice(at).split('compilation failed: ERROR: <input>:');
  const problem = error === undefined ? body.slice(at).replace(/^.* must /, 'must ') : `does not compile: ${error}`;
  return [`its ${expression} ${problem}`, `correct the ${expression}`];
}

function withoutAdvice(body: string): string {
  return `the API server would refuse it: ${body.replace(/ \(try simplifying .*\)$/, '')}`;
}

function hintFor(path: string): string {
  return /^default(?:[.[]|$)/.test(path)
    ? 'default: a value that the schema allows'
    : 'change what @Kind, @Schema, @Field and rules say there';
}

function ofPlace(problem: string, path: string): string {
  return path === '' ? problem : `${problem} (${path})`;
}
