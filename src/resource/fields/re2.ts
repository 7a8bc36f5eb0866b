/** What JavaScript's regular expressions can say and RE2, which the API server runs, cannot. */
const FOREIGN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\(\?<?[=!]/, 'a look-around'],
  [/\\[1-9]/, 'a back-reference'],
  [/\\k</, 'a back-reference'],
  [/\\u/, 'a \\u escape'],
  [/\\c[A-Za-z]/, 'a control escape'],
  [/\[\^?\]/, 'an empty class'],
];

const MAX_REPEAT = 1000;

/** Why RE2 does not take a pattern, or nothing when it does. */
export function re2Problem(source: string): string | undefined {
  // An escaped backslash would make the letter after it look escaped.
  const text = source.replaceAll('\\\\', '');
  const foreign = FOREIGN.find(([pattern]) => pattern.test(text));
  if (foreign) return `has ${foreign[1]}`;
  for (const [, low, high] of text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    if (Number(low) > MAX_REPEAT || Number(high ?? 0) > MAX_REPEAT) return `repeats more than ${MAX_REPEAT} times`;
  }
  return parseProblem(source);
}

/** A pattern of the API server as JavaScript runs it: by code points where it can. */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

function parseProblem(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return `is no regular expression: ${(error as Error).message}`;
  }
}
