import { nearest } from '../../base/nearest.js';
import { ownMember } from '../../base/own-member.js';
import type { Problem } from '../../resource/model-error.js';

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
  return ownMember(RULE_HINTS, part) ?? 'correct the option of @Kind, @Schema, @Field or the rule that sets it';
}

function atPath(problem: string, path: string): string {
  return path === '' ? problem : `${problem} (${path})`;
}

const REFERENCE = 'https://kubernetes.io/docs/reference/using-api/cel/';

/** Names that rules can use without `self`, for typing errors in them. */
const GLOBALS = [
  ...['self', 'oldSelf', 'has', 'size', 'int', 'uint', 'double', 'string', 'bool', 'bytes', 'type', 'duration'],
  ...['timestamp', 'url', 'isURL', 'ip', 'isIP', 'cidr', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'],
  ...['optional', 'format', 'sets', 'math', 'dyn', 'matches'],
];

/** The step to take after a compile error of a CEL expression; `fields` are those that `self` has. */
function celHint(error: string, fields: readonly string[]): string {
  const [, field] = /undefined field '([^']*)'/.exec(error) ?? [];
  if (field !== undefined) return nameHint(field, fields, `@Field() ${field} in the class, or another name`);
  const [, name] = /undeclared reference to '([^']*)'/.exec(error) ?? [];
  if (name !== undefined) return referenceHint(name, fields);
  if (error.includes('no matching overload'))
    return 'use operands of the same type; int(), double(), string() and bool() convert values';
  if (error.includes('must evaluate to a bool')) return `use a condition, such as size(self) > 0`;
  if (error.includes('must evaluate to a string')) return `use a string, such as 'size is ' + string(self.size)`;
  if (error.includes('invalid matches argument')) return 'use an RE2 pattern: no look-around, no back-reference';
  return `see ${REFERENCE}`;
}

function referenceHint(name: string, fields: readonly string[]): string {
  if (fields.includes(name)) return `use self.${name}`;
  return nameHint(name, GLOBALS, `use self.${name} for a field, or a function of ${REFERENCE}`);
}

function nameHint(name: string, known: readonly string[], otherwise: string): string {
  const like = nearest(name, known);
  return like === undefined ? otherwise : `use ${like}`;
}
