/** Names that are already used in the files: imports and globals of the language. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  [
    'CustomResource Field Kind PrintColumn Scale Schema SelectableField XValidation Description',
    'Condition LabelSelector LabelSelectorRequirement ObjectMeta UnstructuredObject KubeObject JsonSchema',
    'Array ArrayBuffer BigInt Boolean DataView Date Error Function Infinity Intl Iterator JSON Map Math NaN Number',
    'Object Promise Proxy RangeError Reflect RegExp Set String Symbol SyntaxError TypeError URIError WeakMap WeakRef',
    'WeakSet Atomics Buffer URL',
    'Awaited Capitalize Exclude Extract InstanceType Lowercase NoInfer NonNullable Omit Parameters Partial Pick',
    'Readonly Record Required ReturnType ThisType Uncapitalize Uppercase',
  ].flatMap((names) => names.split(' ')),
);

/** Converts `podDisruptionBudget` and `pod-disruption-budget` to `PodDisruptionBudget`. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(joined) ? joined : `_${joined}`;
}

/** Converts `HTTPRoute` to `http-route`. */
export function kebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}

/** Returns the singular of a regular plural. */
export function singular(plural: string): string {
  if (/[^e]ies$/.test(plural) && plural.length > 4) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|us|ias|x|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return /[a-rt-z]s$/.test(plural) && !/(?:us|is)$/.test(plural) ? plural.slice(0, -1) : plural;
}

/** Assigns unique names to the classes of a file. */
export class TypeNames {
  private readonly taken = new Set(RESERVED_NAMES);

  /** Returns the first unused candidate, otherwise the last with a number. */
  take(...candidates: readonly string[]): string {
    const free = candidates.find((name) => !this.taken.has(name)) ?? this.numbered(candidates.at(-1) ?? 'Value');
    this.taken.add(free);
    return free;
  }

  private numbered(name: string): string {
    for (let number = 2; ; number++) if (!this.taken.has(`${name}${number}`)) return `${name}${number}`;
  }
}
