import { parseJson } from '../../base/json.js';
import { OperatorError } from '../../base/operator-error.js';
import { parseYaml } from '../../base/yaml.js';
import { badRequest } from '../errors/status-error.js';
import { DecodeReport } from '../schema/decode-report.js';
import { reportDuplicates } from '../schema/duplicate-keys.js';
import type { FieldValidation } from './query-options.js';

/** Reads the body of server-side apply: YAML, which most clients write as JSON. */
export function parseConfiguration(text: string, validation: FieldValidation, warnings: string[]): unknown {
  return parsePlainJson(text) ?? parseAnyYaml(text, validation, warnings);
}

/** Nothing if it is not JSON or has a key twice. JSON.parse takes a fraction of the time of a YAML parser. */
function parsePlainJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    const report = new DecodeReport();
    reportDuplicates(text, report);
    return report.problems.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Of a key given twice the last one counts, unless the caller wants to be strict (applyPatcher in handlers/patch.go). */
function parseAnyYaml(text: string, validation: FieldValidation, warnings: string[]): unknown {
  try {
    return parseYaml(text, 'body');
  } catch (error) {
    const { reason, mark } = (error instanceof OperatorError ? error.cause : undefined) as YamlProblem;
    if (reason !== 'duplicated mapping key' || !mark)
      throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${reason}`);
    const key = /^["']?([^"':\s]*)/.exec(text.slice(mark.position))?.[1] ?? '';
    const problem = `line ${mark.line + 1}: key "${key}" already set in map`;
    if (validation === 'Strict') {
      const why = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${problem}`;
      throw badRequest(`error strict decoding YAML: ${why}`);
    }
    if (validation === 'Warn') warnings.push(problem);
    return parseYaml(text, 'body', { lastOfDuplicates: true });
  }
}

/** What js-yaml says. */
interface YamlProblem {
  readonly reason: string;
  readonly mark?: { readonly line: number; readonly position: number };
}
