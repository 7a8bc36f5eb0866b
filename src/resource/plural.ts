/** Words that are their own plural, as far as kinds are called so. */
const UNCOUNTABLE = /(?:fish|sheep|series|species|news|data|media|information|equipment)$/;

const IRREGULAR: Readonly<Record<string, string>> = {
  child: 'children',
  person: 'people',
  human: 'humans',
  man: 'men',
  mouse: 'mice',
  index: 'indices',
  vertex: 'vertices',
  matrix: 'matrices',
  alias: 'aliases',
};

/** Suffix -> what stands in its place; the first that fits counts. */
const RULES: readonly (readonly [suffix: RegExp, plural: string])[] = [
  [/(?<=[aeo]|[^q]u)y$/, 'ys'],
  [/y$/, 'ies'],
  [/(?<=[lr]|ea|oa)f$/, 'ves'],
  [/fe$/, 'ves'],
  [/sis$/, 'ses'],
  [/(?<=ch|sh|ss|us|x|[tz]z)$/, 'es'],
  [/(?<=[ei])z$/, 'zzes'],
  [/(?<=hero|echo|tato|mato)$/, 'es'],
  [/s$/, 's'],
];

/** The English plural of a kind in lower case: for nearly every kind the one that controller-gen gives it. */
export function pluralOf(kind: string): string {
  if (/[A-Z]S$/.test(kind)) return `${kind.toLowerCase()}es`;
  const word = kind.toLowerCase();
  if (UNCOUNTABLE.test(word)) return word;
  for (const [singular, plural] of Object.entries(IRREGULAR)) {
    if (word.endsWith(singular)) return word.slice(0, -singular.length) + plural;
  }
  const rule = RULES.find(([suffix]) => suffix.test(word));
  return rule ? word.replace(rule[0], rule[1]) : `${word}s`;
}
