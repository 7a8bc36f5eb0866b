import { patternError } from '../../base/pattern.js';

/** What JavaScript's regular expressions can say and RE2, which the API server runs, cannot. */
const FOREIGN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\(\?<?[=!]/, 'a look-around'],
  [/\\[1-9]/, 'a back-reference'],
  [/\\k</, 'a back-reference'],
  [/\\u/, 'a \\u escape'],
  [/\\c[A-Za-z]/, 'a control escape'],
  [/\[\^?\]/, 'an empty class'],
];

/** Why RE2 does not take a pattern, or nothing when it does. */
export function re2Problem(source: string): string | undefined {
  const error = patternError(source);
  if (error === undefined) return undefined;
  // An escaped backslash would make the letter after it look escaped.
  const text = source.replaceAll('\\\\', '');
  const foreign = FOREIGN.find(([pattern]) => pattern.test(text));
  return foreign ? `has ${foreign[1]}` : `is no regular expression: ${error.replace('error parsing regexp: ', '')}`;
}
