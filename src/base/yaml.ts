import { createRequire } from 'node:module';
import type * as JsYaml from 'js-yaml';
import { kubernetesSchema } from './kubernetes-yaml.js';
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

/** The one document of a YAML text, as Kubernetes reads it. */
export function parseYaml(text: string, file: string, { lastOfDuplicates = false }: YamlOptions = {}): unknown {
  const schema = kubernetesSchema(jsYaml(), false);
  return reporting(file, () => jsYaml().load(text, { filename: file, schema, json: lastOfDuplicates }));
}

/** What makes up a YAML text, in its order, and what a scalar among it says. */
export function yamlEvents(text: string): {
  readonly events: readonly JsYaml.Event[];
  readonly types: typeof JsYaml.EVENT_ID;
  readonly valueOf: (scalar: JsYaml.ScalarEvent) => string;
} {
  const { parseEvents, getScalarValue, EVENT_ID } = jsYaml();
  return { events: parseEvents(text, {}), types: EVENT_ID, valueOf: (scalar) => getScalarValue(text, scalar) };
}

/** How integers are read that a double cannot hold: as the nearest one by default. */
export interface DocumentOptions {
  /** As bigints. */
  readonly exactIntegers?: boolean;
}

/** Every document of a YAML text as Kubernetes reads it, empty ones left out. */
export function parseYamlDocuments(
  text: string,
  file: string,
  { exactIntegers = false }: DocumentOptions = {},
): unknown[] {
  const schema = kubernetesSchema(jsYaml(), exactIntegers);
  return reporting(file, () => jsYaml().loadAll(text, { filename: file, schema })).filter(
    (document) => document !== undefined && document !== null,
  );
}

/** Block-style YAML in the given key order, every string quoted that some YAML reader would take for something else. */
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

/** A tag of what YAML 1.1, YAML 1.2 or Kubernetes takes for a number, so that strings that look so are quoted. */
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
