import { parseJson } from '../../base/json.js';
import { OperatorError } from '../../base/operator-error.js';
import { parseYaml } from '../../base/yaml.js';
import { badRequest } from '../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../object.js';
import { jsonTypeName } from '../schema/go-codec.js';
import { DecodeReport } from '../schema/decode-report.js';
import { reportDuplicates } from '../schema/duplicate-keys.js';
import type { FieldValidation } from './query-options.js';

/** Reads the body of server-side apply: YAML, which most clients write as JSON. */
export function parseConfiguration(text: string, validation: FieldValidation, warnings: string[]): JsonObject {
  const value = parsePlainJson(text) ?? (isBlank(text) ? {} : (parseAnyYaml(text, validation, warnings) ?? {}));
  if (isJsonObject(value)) return value;
  const why = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** A tab is no space to YAML. */
function isBlank(text: string): boolean {
  return text.trim() === '' && !text.includes('\t');
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
      throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${wordsOf(reason)}`);
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

/** What Go's parser says where js-yaml has other words. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  'expected a document, but the input is empty': 'found character that cannot start any token',
  'unexpected end of the stream within a double quoted scalar': 'found unexpected end of stream',
  'missed comma between flow collection entries': "did not find expected ',' or '}'",
};

function wordsOf(reason: string): string {
  return REASONS[reason] ?? reason;
}

/** What js-yaml says. */
interface YamlProblem {
  readonly reason: string;
  readonly mark?: { readonly line: number; readonly position: number };
}
