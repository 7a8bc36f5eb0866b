import { badRequest, StatusError } from '../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { unknownFieldProblem } from '../schema/decode-report.js';
import { jsonSyntaxProblem } from '../schema/json-syntax-problem.js';
import { numberOverflow } from '../schema/number-overflow.js';
import { parseShallowJson } from '../schema/parse-shallow-json.js';
import { problemsInOrder } from '../schema/duplicate-keys.js';

const MAX_OPERATIONS = 10_000;
const TEXTS = ['op', 'path', 'from'] as const;
const FIELDS: readonly string[] = [...TEXTS, 'value'];

/** An operation of RFC 6902 as sent by the client; required members may be missing. */
export interface JsonPatchOperation {
  readonly op?: string | undefined;
  readonly path?: string | undefined;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** Unknown and duplicate fields. */
  readonly problems: readonly string[];
}

/**
 * Parses a JSON patch; `isChecked` also collects unknown and duplicate fields (jsonPatcher.applyJSPatch in
 * handlers/patch.go).
 */
export function parseJsonPatch(text: string, isChecked: boolean): JsonPatch {
  const steps = parse(text, isChecked);
  if (steps.length > MAX_OPERATIONS) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${steps.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  const unknown = steps.flatMap((step, index) =>
    Object.keys(step)
      .filter((key) => !FIELDS.includes(key))
      .map((key) => unknownFieldProblem(`[${index}].${key}`)),
  );
  const problems = isChecked && text !== '' ? problemsInOrder(text, unknown) : [];
  return {
    operations: steps.map((step) => operationOf(step, isChecked)),
    problems: problems.map((problem) => `json patch ${problem}`),
  };
}

function parse(text: string, isChecked: boolean): JsonObject[] {
  const fail = (why: string): StatusError => badRequest(`${isChecked ? 'error decoding patch: ' : ''}${why}`);
  let value: unknown;
  let overflow: string | undefined;
  try {
    value = parseShallowJson(text);
    overflow = numberOverflow(text);
  } catch {
    throw fail(jsonSyntaxProblem(text) ?? 'unexpected end of JSON input');
  }
  if (overflow !== undefined) throw fail(overflow.replace('value of type', 'struct field jsonPatchOp.value of type'));
  const [list, step] = isChecked
    ? ['[]handlers.jsonPatchOp', 'handlers.jsonPatchOp']
    : ['jsonpatch.Patch', 'jsonpatch.Operation'];
  if (!Array.isArray(value ?? [])) throw fail(`json: cannot unmarshal ${goKind(value)} into Go value of type ${list}`);
  return ((value ?? []) as unknown[]).map((item) => {
    if (isJsonObject(item ?? {})) return (item ?? {}) as JsonObject;
    throw fail(`json: cannot unmarshal ${goKind(item)} into Go value of type ${step}`);
  });
}

function operationOf(step: JsonObject, isChecked: boolean): JsonPatchOperation {
  const texts = TEXTS.map((key) => [key, textAt(step, key, isChecked)] as const);
  return { ...Object.fromEntries(texts), value: step.value };
}

function textAt(step: JsonObject, key: string, isChecked: boolean): string | undefined {
  const value = step[key] ?? undefined;
  if (typeof value === 'string' || value === undefined) return value;
  if (!isChecked) return undefined;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${goKind(value)} into Go struct field jsonPatchOp.${key} of type string`,
  );
}

/** Returns the name of a JSON type in the errors of Go's decoder. */
function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
