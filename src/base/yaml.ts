import { createRequire } from 'node:module';
import type * as JsYaml from 'js-yaml';
import { OperatorError } from './operator-error.js';

let loaded: typeof JsYaml | undefined;

/** Loaded when it is first needed, for most programs never do. */
function jsYaml(): typeof JsYaml {
  return (loaded ??= createRequire(import.meta.url)('js-yaml') as typeof JsYaml);
}

export interface YamlOptions {
  /** Of a key given twice the last one counts; by default it is an error. */
  readonly lastOfDuplicates?: boolean;
}

/** The one document of a YAML text. */
export function parseYaml(text: string, file: string, { lastOfDuplicates = false }: YamlOptions = {}): unknown {
  return reporting(file, () => jsYaml().load(text, { filename: file, json: lastOfDuplicates }));
}

/** How integers are read that a double cannot hold: as the nearest one by default. */
export interface DocumentOptions {
  /** As bigints. */
  readonly exactIntegers?: boolean;
}

/** Every document of a YAML text, empty ones left out. */
export function parseYamlDocuments(
  text: string,
  file: string,
  { exactIntegers = false }: DocumentOptions = {},
): unknown[] {
  const { loadAll, CORE_SCHEMA } = jsYaml();
  const schema = exactIntegers ? withBigints(CORE_SCHEMA) : CORE_SCHEMA;
  return reporting(file, () => loadAll(text, { filename: file, schema })).filter(
    (document) => document !== undefined && document !== null,
  );
}

/** Block-style YAML in the given key order, every string quoted that some YAML reader would take for something else. */
export function stringifyYaml(value: unknown): string {
  const { dump, DUMP_SCHEMA } = jsYaml();
  return dump(value, { lineWidth: -1, noRefs: true, schema: (dumpSchema ??= withBigints(DUMP_SCHEMA)) });
}

let dumpSchema: JsYaml.Schema | undefined;

/** A schema whose integers may be too long for a double. */
function withBigints(schema: JsYaml.Schema): JsYaml.Schema {
  const { defineScalarTag } = jsYaml();
  const integer = schema.lookupScalarTag('tag:yaml.org,2002:int');
  if (!integer) return schema;
  const { tagName, ...options } = integer;
  const bigint = defineScalarTag<unknown>(tagName, {
    ...options,
    resolve: (source, isExplicit, name) => {
      const value: unknown = integer.resolve(source, isExplicit, name);
      const isLost = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
      return isLost && BigInt(source) !== BigInt(value) ? BigInt(source) : value;
    },
    identify: (value) => typeof value === 'bigint' || integer.identify(value),
    represent: (value) => (typeof value === 'bigint' ? value.toString() : integer.represent(value)),
  });
  return schema.withTags(bigint);
}

function reporting<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof jsYaml().YAMLException)) throw error;
    throw new OperatorError(`${file}: ${error.message.split('\n', 1)[0] ?? 'not YAML'}`, {
      code: 'E_YAML',
      cause: error,
    });
  }
}
