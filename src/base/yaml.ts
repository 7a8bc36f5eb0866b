import type * as JsYaml from 'js-yaml';
import { createRequire } from 'node:module';
import { MAX_DIGITS } from './exact-integers.js';
import { MAX_DEPTH } from './nesting-depth.js';
import { OperatorError } from './operator-error.js';
import { aliasProblem, mayHaveAliases } from './yaml-aliases.js';

let loaded: typeof JsYaml | undefined;

/** Loaded on first use; most programs never need it. */
function jsYaml(): typeof JsYaml {
  return (loaded ??= createRequire(import.meta.url)('js-yaml') as typeof JsYaml);
}

export interface YamlOptions {
  /** Accept duplicate keys and use the last value; by default they are errors. */
  readonly lastOfDuplicates?: boolean;
}

/** Parses the single document of a YAML text like Kubernetes. */
export function parseYaml(text: string, file: string, { lastOfDuplicates = false }: YamlOptions = {}): unknown {
  const schema = kubernetesSchema(jsYaml(), false);
  return withinLimits(text, file, () =>
    jsYaml().load(text, { filename: file, schema, json: lastOfDuplicates, maxDepth: MAX_DEPTH }),
  );
}

/** Rejects aliases that expand to too many nodes, before they are expanded. */
function withinLimits<T>(text: string, file: string, parse: () => T): T {
  return reporting(file, () => {
    const problem = mayHaveAliases(text) ? aliasProblem(text, yamlEvents(text)) : undefined;
    if (problem !== undefined) throw new (jsYaml().YAMLException)(problem);
    return parse();
  });
}

/** Returns the events of a YAML text in order, and the value of its scalars. */
export function yamlEvents(text: string): {
  readonly events: readonly JsYaml.Event[];
  readonly types: typeof JsYaml.EVENT_ID;
  readonly valueOf: (scalar: JsYaml.ScalarEvent) => string;
} {
  const { parseEvents, getScalarValue, EVENT_ID } = jsYaml();
  return {
    events: parseEvents(text, { maxDepth: MAX_DEPTH }),
    types: EVENT_ID,
    valueOf: (scalar) => getScalarValue(text, scalar),
  };
}

/** Options for integers that a double cannot represent; by default, they are rounded. */
export interface DocumentOptions {
  /** Return them as bigints. */
  readonly exactIntegers?: boolean;
}

/** Parses all documents of a YAML text like Kubernetes, without empty ones. */
export function parseYamlDocuments(
  text: string,
  file: string,
  { exactIntegers = false }: DocumentOptions = {},
): unknown[] {
  const schema = kubernetesSchema(jsYaml(), exactIntegers);
  const documents = withinLimits(text, file, () =>
    jsYaml().loadAll(text, { filename: file, schema, maxDepth: MAX_DEPTH }),
  );
  return documents.filter((document) => document !== undefined && document !== null);
}

/** Block-style YAML in the given key order; strings that a YAML reader could take for another type are quoted. */
export function stringifyYaml(value: unknown): string {
  return jsYaml().dump(value, { lineWidth: -1, noRefs: true, schema: (dumpSchema ??= makeDumpSchema()) });
}

let dumpSchema: JsYaml.Schema | undefined;

/** Integers may be too long for a double. */
function makeDumpSchema(): JsYaml.Schema {
  const { DUMP_SCHEMA, floatCoreTag, intCoreTag } = jsYaml();
  const integer = numberTag(intCoreTag);
  const bigint = {
    ...integer,
    identify: (value: unknown) => typeof value === 'bigint' || integer.identify(value),
    represent: (value: unknown) => (typeof value === 'bigint' ? value.toString() : integer.represent(value)),
  };
  return DUMP_SCHEMA.withTags(bigint, numberTag(floatCoreTag));
}

/**
 * Returns a tag for everything that YAML 1.1, YAML 1.2 or Kubernetes reads as a number, so that such strings are
 * quoted.
 */
function numberTag(core: JsYaml.ScalarTagDefinition): JsYaml.ScalarTagDefinition {
  const { DUMP_SCHEMA, NOT_RESOLVED } = jsYaml();
  const usual = DUMP_SCHEMA.lookupScalarTag(core.tagName) ?? core;
  const ofKubernetes = kubernetesSchema(jsYaml(), false).lookupScalarTag(core.tagName) ?? core;
  return {
    ...usual,
    resolve: (...source) => {
      const value: unknown = usual.resolve(...source);
      return value === NOT_RESOLVED ? ofKubernetes.resolve(...source) : value;
    },
  };
}

function tooDeep(): Error {
  return new (jsYaml().YAMLException)(`exceeded max depth of ${MAX_DEPTH}`);
}

function reporting<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const cause = error instanceof RangeError ? tooDeep() : error;
    if (!(cause instanceof jsYaml().YAMLException)) throw error;
    throw new OperatorError(`${file}: ${cause.message.split('\n', 1)[0] ?? 'invalid YAML'}`, { code: 'E_YAML', cause });
  }
}

/**
 * The meaning of plain scalars in Kubernetes: words such as `yes`, `on` and `y` are booleans, numbers are written as
 * in Go, and `<<` merges a mapping.
 *
 * @param exactIntegers whether integers that a double cannot represent become bigints
 */
function kubernetesSchema(
  { CORE_SCHEMA, NOT_RESOLVED, boolYaml11Tag, defineScalarTag, floatCoreTag, intCoreTag, mergeTag }: typeof JsYaml,
  exactIntegers: boolean,
): JsYaml.Schema {
  const { tagName: int, ...ofIntegers } = intCoreTag;
  const { tagName: float, ...ofFloats } = floatCoreTag;
  const integerTag = defineScalarTag<unknown>(int, {
    ...ofIntegers,
    resolve: (source) => goInteger(source.replaceAll('_', ''), exactIntegers) ?? NOT_RESOLVED,
  });
  const floatTag = defineScalarTag<number>(float, {
    ...ofFloats,
    resolve: (source, isExplicit, name) => floatCoreTag.resolve(source.replaceAll('_', ''), isExplicit, name),
  });
  return CORE_SCHEMA.withTags(mergeTag, boolYaml11Tag, integerTag, floatTag);
}

/** Parses an integer like strconv.ParseInt with base 0; undefined when the text is invalid or far too long. */
function goInteger(source: string, exact: boolean): number | bigint | undefined {
  const [, sign = '', digits] = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9]\d*|0)$/.exec(source) ?? [];
  if (digits === undefined || digits.length > MAX_DIGITS) return undefined;
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
  const value = sign === '-' ? -size : size;
  const nearest = Number(value);
  return exact && BigInt(nearest) !== value ? value : nearest;
}
