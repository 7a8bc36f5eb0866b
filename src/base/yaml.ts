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

/** Every document of a YAML text, empty ones left out. */
export function parseYamlDocuments(text: string, file: string): unknown[] {
  return reporting(file, () => jsYaml().loadAll(text, { filename: file })).filter(
    (document) => document !== undefined && document !== null,
  );
}

/** Block-style YAML in the given key order, every string quoted that some YAML reader would take for something else. */
export function stringifyYaml(value: unknown): string {
  return jsYaml().dump(value, { lineWidth: -1, noRefs: true });
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
