/** A sentence that the language check rejects. */
export interface LanguageViolation {
  readonly path: string;
  readonly line: number;
  /** The matched words. */
  readonly match: string;
}

/** Phrases rejected everywhere: in comments, strings, documents and golden files. "there is no such object" is a message of Kubernetes. */
const PHRASES = [
  'anew',
  'mends?|mended',
  'says? nothing of',
  'is none of',
  'is no (?!longer\\b|more\\b|such object\\b)[a-z@`]',
  'which is no ',
  'stands? (?:beside|before)',
  'says? it all',
  'nobody',
  'what becomes of',
  'comes to nothing',
  '(?:be|is|are) told',
  'of no account',
  'wish(?:es)?',
  'who asks',
  'sayable',
  'holds its tongue',
];

/** Words rejected in comments and documents; in strings they may be part of a message of Kubernetes. */
const WORDS = ['says?|said', 'tells?|told', 'speaks?|spoken', 'somebody|everybody', '(?:is|are|was|were) none'];

/** Usage rejected in comments, documents and titles of tests: words with two meanings, and pronouns for a noun far away. */
const USAGE = new RegExp(
  [
    /\bat once\b/,
    /(?:\b(?:or|which|what|all)|,) else\b/,
    /(?:^|(?<=[.;:] ))(?:That|Those) of\b/,
    // Twice in one sentence: the reader no longer knows the noun.
    /\b(?:that|those) of\b[^.;:|`]*\b(?:that|those) of\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

const phrases = pattern(PHRASES);
const phrasesAndWords = pattern([...PHRASES, ...WORDS]);

/** Doc comments begin with a noun phrase or a verb in the third person. */
const OPENER = /^(?:What|Whether|Where|Who|Whose|Of|As)\b/;

const COMMENT = /(?<![\w*'"`])\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*/g;
const STRING = /'(?:[^'\\\n]|\\.){12,}'|`(?:[^`\\]|\\.){12,}`/g;

function pattern(sources: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${sources.join('|')})(?:\\b|(?<=[a-z@\` ]))`, 'gi');
}

/** Returns the violations in the comments and strings of a TypeScript file. */
export function violationsInSource(path: string, source: string): LanguageViolation[] {
  const found: LanguageViolation[] = [];
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length;
  for (const { 0: comment, index } of source.matchAll(COMMENT)) {
    const text = withoutMarkers(comment);
    const opener = comment.startsWith('/**') ? OPENER.exec(text.trim()) : null;
    if (opener) found.push({ path, line: lineAt(index), match: `/** ${opener[0]} …` });
    for (const { 0: match } of text.matchAll(phrasesAndWords)) found.push({ path, line: lineAt(index), match });
  }
  const code = source.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  for (const { 0: string, index } of code.matchAll(STRING)) {
    for (const { 0: match } of string.matchAll(phrases)) found.push({ path, line: lineAt(index), match });
  }
  return found;
}

/** The title of a test or of a suite: the string before its function. */
const TITLE = /\(\s*('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`),\s*(?:async )?\(/g;

/** Returns the rejected usage in the comments of a TypeScript file, and in the titles of its tests. */
export function usageViolations(path: string, source: string): LanguageViolation[] {
  return violationsInTexts(path, source, USAGE);
}

/** Returns the rejected phrases and words in the comments of a test, and in its titles. Its values can be any text. */
export function violationsInTest(path: string, source: string): LanguageViolation[] {
  return violationsInTexts(path, source, phrasesAndWords);
}

function violationsInTexts(path: string, source: string, rejected: RegExp): LanguageViolation[] {
  const texts = [
    ...[...source.matchAll(COMMENT)].map(({ 0: comment, index }) => [withoutMarkers(comment).trim(), index] as const),
    ...[...source.matchAll(TITLE)].map(({ 1: title = '', index }) => [title, index] as const),
  ];
  return texts.flatMap(([text, index]) =>
    [...text.matchAll(rejected)].map(([match]) => ({ path, line: source.slice(0, index).split('\n').length, match })),
  );
}

/** The text of a comment on one line, so that a phrase may span lines. */
function withoutMarkers(comment: string): string {
  return comment
    .replace(/^\/\*\*?|^\/\//, '')
    .replace(/\*\/$/, '')
    .replaceAll(/\s*\n\s*\*?\s?/g, ' ');
}

/** Functions that report mistakes have a prefix that states how: see `misnamedFunctions`. */
const MISNAMED = /\bfunction ((?:check|validate)[A-Z]\w*)(?:<[^(]*>)?\([^{]*?\): (?:void|Promise<void>) \{/g;

/**
 * Returns the functions of a TypeScript file with the name of another contract: `validateX` returns errors, `assertX` throws
 * and `collectX` adds diagnostics. `checkX` without a result could be either of the last two.
 */
export function misnamedFunctions(path: string, source: string): LanguageViolation[] {
  return [...source.matchAll(MISNAMED)].map(({ 1: match = '', index }) => ({
    path,
    line: source.slice(0, index).split('\n').length,
    match,
  }));
}

/** Returns the violations in a Markdown document, outside of its code blocks. */
export function violationsInDocument(path: string, document: string): LanguageViolation[] {
  const prose = document.replaceAll(/^ *```[\s\S]*?^ *```$/gm, (code) => code.replaceAll(/[^\n]/g, ''));
  return [...violationsInLines(path, prose, phrasesAndWords), ...violationsInLines(path, prose, USAGE)];
}

/** Returns the violations in a file of expected messages. */
export function violationsInGolden(path: string, text: string): LanguageViolation[] {
  return violationsInLines(path, text, phrases);
}

function violationsInLines(path: string, text: string, rejected: RegExp): LanguageViolation[] {
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(rejected)].map(([match]) => ({ path, line: index + 1, match })));
}

/**
 * Returns the names of exported classes, functions, interfaces and types that several files declare, each with these
 * files.
 *
 * Interfaces and types of the embedded server may have names of the SDK, which it does not import. Those of the
 * generated definitions of Kubernetes have Kubernetes' names.
 */
export function duplicateNames(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const values = filesByName(sources, /^export (?:abstract )?(?:async )?(?:class |function\*? )(\w+)/gm);
  const handwritten = [...sources].filter(([path]) => !path.startsWith('src/resource/definitions/'));
  const [server, sdk] = [true, false].map((isServer) => {
    const half = handwritten.filter(([path]) => path.startsWith('src/apiserver/') === isServer);
    return filesByName(new Map(half), /^export (?:abstract )?(?:class |interface |type )(\w+)/gm);
  });
  return new Map([...values, ...(server ?? []), ...(sdk ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the declared names that several files have. */
function filesByName(sources: ReadonlyMap<string, string>, declaration: RegExp): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [path, source] of sources) {
    for (const name of new Set([...source.matchAll(declaration)].map(([, name = '']) => name))) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  return new Map([...files].filter(([, paths]) => paths.length > 1));
}
