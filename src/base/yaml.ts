import { dump, load, loadAll, YAMLException } from 'js-yaml';
import { OperatorError } from './operator-error.js';

/** The one document of a YAML text. */
export function parseYaml(text: string, file: string): unknown {
  return reporting(file, () => load(text, { filename: file }));
}

/** Every document of a YAML text, empty ones left out. */
export function parseYamlDocuments(text: string, file: string): unknown[] {
  return reporting(file, () => loadAll(text, { filename: file })).filter(
    (document) => document !== undefined && document !== null,
  );
}

/** Block-style YAML in the given key order, every string quoted that some YAML reader would take for something else. */
export function stringifyYaml(value: unknown): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

function reporting<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new OperatorError(`${file}: ${error.message.split('\n', 1)[0] ?? 'not YAML'}`, {
      code: 'E_YAML',
      cause: error,
    });
  }
}
