import { parseJson } from '../../../base/json.js';
import { parseYaml } from '../../../base/yaml.js';
import { badRequest } from '../../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../../objects/api-object.js';
import { jsonTypeName } from '../../schema/go-codec.js';
import { DecodeReport } from '../../schema/decode-report.js';
import { reportDuplicates } from '../../schema/duplicate-keys.js';
import { duplicateKeysError, duplicateYamlKeys } from '../../schema/duplicate-yaml-keys.js';
import { numberOverflow } from '../../schema/number-overflow.js';
import { yamlSyntaxProblem } from '../../schema/yaml-syntax-problem.js';
import type { FieldValidation } from './query-options.js';

/** Parses the body of server-side apply: YAML, which most clients write as JSON. */
export function parseConfiguration(text: string, validation: FieldValidation, warnings: string[]): JsonObject {
  const value = parsePlainJson(text) ?? (isBlank(text) ? {} : (parseAnyYaml(text, validation, warnings) ?? {}));
  if (isJsonObject(value)) return value;
  const why = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** YAML does not count tabs as space. */
function isBlank(text: string): boolean {
  return text.trim() === '' && !text.includes('\t');
}

/**
 * Parses JSON; returns undefined if it is not JSON or has duplicate keys. JSON.parse is much faster than a YAML parser.
 */
function parsePlainJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    if (numberOverflow(text) !== undefined) return undefined; // a string in YAML
    const value = parseJson(text);
    const report = new DecodeReport();
    reportDuplicates(text, report);
    return report.problems.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses YAML. The last of duplicate keys is used, unless validation is strict (applyPatcher in handlers/patch.go). */
function parseAnyYaml(text: string, validation: FieldValidation, warnings: string[]): unknown {
  let value: unknown;
  try {
    value = parseYaml(text, 'body', { lastOfDuplicates: true });
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${yamlSyntaxProblem(error)}`);
  }
  const repeated = validation === 'Ignore' ? [] : duplicateYamlKeys(text);
  if (repeated.length > 0 && validation === 'Strict')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${duplicateKeysError(repeated)}`);
  warnings.push(...repeated);
  return value;
}
