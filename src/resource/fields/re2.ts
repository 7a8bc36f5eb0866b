import { patternError } from '../../base/pattern.js';

/** Features of JavaScript's regular expressions that RE2, which the API server uses, does not support. */
const FOREIGN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\(\?<?[=!]/, 'a look-around'],
  [/\\[1-9]/, 'a back-reference'],
  [/\\k</, 'a back-reference'],
  [/\\u/, 'a \\u escape'],
  [/\\c[A-Za-z]/, 'a control escape'],
  [/\[\^?\]/, 'an empty class'],
];

/** Returns the reason why RE2 rejects a pattern; undefined when it accepts it. */
export function re2Problem(source: string): string | undefined {
  const error = patternError(source);
  if (error === undefined) return undefined;
  // An escaped backslash would make the letter after it look escaped.
  const text = source.replaceAll('\\\\', '');
  const foreign = FOREIGN.find(([pattern]) => pattern.test(text));
  return foreign
    ? `has ${foreign[1]}`
    : `is not a valid regular expression: ${error.replace('error parsing regexp: ', '')}`;
}
