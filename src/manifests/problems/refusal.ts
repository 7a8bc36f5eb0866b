import type { Problem } from '../../resource/model-error.js';
import { celHint } from './cel-hint.js';

const RULE = /x-kubernetes-validations\[\d+\]\.(rule|messageExpression)$/;
const BOUNDS = 'set maxItems, maxProperties and maxLength on the lists, maps and strings that the rule reads';
const CORRELATED = `listType: 'map' with listMapKeys for the list, or a rule on the list as a whole`;

/** Hints for the other parts of a rule. */
const RULE_HINTS: Readonly<Record<string, string>> = {
  message: `message: 'one line of text'`,
  messageExpression: 'a CEL expression of type string',
  rule: `rule: 'self.size > 0'`,
  reason: 'use a supported value, or remove reason',
  fieldPath: `fieldPath: '.size', the path of a field below the rule's own`,
  optionalOldSelf: 'remove optionalOldSelf, or use oldSelf in the rule',
};

/**
 * Returns the problem and the hint for an error of the API server about a schema.
 *
 * @param path - where in the schema of the class or field, possibly empty
 * @param fields - the fields that a rule there can read by `self`
 */
export function refusal(body: string, path: string, fields: readonly string[] = []): Problem {
  return ofRule(body, path, fields) ?? [atPath(`the API server rejects it: ${body}`, path), hintFor(path)];
}

function ofRule(body: string, path: string, fields: readonly string[]): Problem | undefined {
  const [, expression] = RULE.exec(path) ?? [];
  if (body.includes('oldSelf cannot be used'))
    return [
      atPath('the rule uses oldSelf, and the API server cannot find the old value of a list item', path),
      CORRELATED,
    ];
  if (/rule cost|messageExpression cost/.test(body)) return [atPath(withoutAdvice(body), path), BOUNDS];
  // The server quotes the rule as a Go struct before the error itself.
  const at = body.search(/compilation failed: |cel expression must |messageExpression must evaluate /);
  if (expression === undefined || at < 0) return undefined;
  const [, error] = body.slice(at).split('compilation failed: ERROR: <input>:');
  const problem = error === undefined ? body.slice(at).replace(/^.* must /, 'must ') : `does not compile: ${error}`;
  return [`${expression} ${problem}`, celHint(problem, fields)];
}

function withoutAdvice(body: string): string {
  return `the API server rejects it: ${body.replace(/ \(try simplifying .*\)$/, '')}`;
}

function hintFor(path: string): string {
  if (/^default(?:[.[]|$)/.test(path)) return 'default: a value that the schema allows';
  const [, part = ''] = /x-kubernetes-validations\[\d+\]\.(\w+)$/.exec(path) ?? [];
  return RULE_HINTS[part] ?? 'correct the option of @Kind, @Schema, @Field or the rule that sets it';
}

function atPath(problem: string, path: string): string {
  return path === '' ? problem : `${problem} (${path})`;
}
