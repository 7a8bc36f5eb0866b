import { invalidValue } from '../../api/field-error.js';
import { badRequest, invalid, StatusError } from '../errors/status-error.js';
import { isJsonObject, stringAt, type ApiObject, type JsonObject } from '../object.js';
import { jsonPatch } from '../patch/json-patch.js';
import { JsonPatchError } from '../patch/json-patch-error.js';
import { parseJsonPatch, type JsonPatchOperation } from '../patch/json-patch-operations.js';
import { mergePatch } from '../patch/merge-patch.js';
import { strategicMergePatch } from '../patch/strategic-merge-patch.js';
import type { Resource } from '../resources/resource.js';
import { DecodeReport } from '../schema/decode-report.js';
import { reportDuplicates } from '../schema/duplicate-keys.js';
import { parseBody, type RequestBody } from '../transport/api-request.js';
import { decodeValue } from './decode-body.js';
import type { WriteQuery } from './query-options.js';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';

/** Makes the object that a patch asks for; what it has to warn of goes to `warnings`. */
type Patch = (old: ApiObject, warnings: string[]) => ApiObject;

/** Reads a body as a patch of one of the three types that change an object as it is. */
export function parsePatch(resource: Resource, body: RequestBody, { fieldValidation }: WriteQuery): Patch {
  const text = body.bytes.toString();
  if (body.contentType === JSON_PATCH) {
    const { operations, problems } = parseJsonPatch(text, fieldValidation !== 'Ignore');
    return (old, warnings) => {
      const patched = readable(applyJsonPatch(old, operations));
      const report = new DecodeReport();
      report.problems.push(...problems);
      return decodePatched(resource, patched, fieldValidation, report, warnings);
    };
  }
  const document = parseDocument(body);
  return (old, warnings) => {
    const report = new DecodeReport();
    reportDuplicates(text, report);
    if (body.contentType !== STRATEGIC)
      return decodePatched(resource, mergePatch(old, document) as JsonObject, fieldValidation, report, warnings);
    const patched = strategicMergePatch(resource.codec.mergeType, old, document);
    return decodeValue(resource, patched, fieldValidation, report, warnings);
  };
}

/** A JSON patch of a request: the real server keeps to itself why it does not apply. */
export function applyJsonPatch(old: JsonObject, operations: readonly JsonPatchOperation[]): unknown {
  try {
    return jsonPatch(old, operations);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

function parseDocument(body: RequestBody): JsonObject {
  let document: unknown;
  try {
    document = parseBody(body, '');
  } catch {
    throw badRequest(`error decoding patch: invalid JSON`);
  }
  if (isJsonObject(document)) return document;
  throw badRequest('error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}');
}

/** What is left of an object after a JSON patch has to say what it is. */
function readable(patched: unknown): JsonObject {
  if (!isJsonObject(patched)) throw unreadable(patched, `couldn't get version/kind; json parse error: ${NO_OBJECT}`);
  if (stringAt(patched, 'kind') === '')
    throw unreadable(patched, `Object 'Kind' is missing in '${JSON.stringify(patched)}'`);
  return patched;
}

const NO_OBJECT =
  'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Strict validation of a patched object is about the patch (jsonPatcher.applyPatchToCurrentObject). */
function decodePatched(
  resource: Resource,
  patched: JsonObject,
  validation: WriteQuery['fieldValidation'],
  report: DecodeReport,
  warnings: string[],
): ApiObject {
  checkKept(resource, patched);
  const object = decodeValue(resource, patched, validation === 'Strict' ? 'Ignore' : validation, report, warnings);
  const problems = [...new Set(report.problems)];
  if (validation !== 'Strict' || problems.length === 0) return object;
  throw unreadable(patched, `strict decoding error: ${problems.join(', ')}`);
}

/** A patch may not make another kind of a custom resource (ValidateUpdate of customresource_handler.go). */
function checkKept({ isCustom, kind, apiVersion }: Resource, patched: JsonObject): void {
  const [givenKind, givenVersion] = [stringAt(patched, 'kind'), stringAt(patched, 'apiVersion')];
  if (!isCustom || (givenKind === kind && givenVersion === apiVersion)) return;
  const errors = [
    ...(givenKind === kind ? [] : [invalidValue('kind', givenKind, `must be ${kind}`)]),
    ...(givenVersion === apiVersion ? [] : [invalidValue('apiVersion', givenVersion, `must be ${apiVersion}`)]),
  ];
  const [group = ''] = givenVersion.split('/');
  throw invalid({ group, kind: givenKind }, stringAt(patched.metadata, 'name'), errors);
}

function unreadable(patched: unknown, why: string): Error {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), why)]);
}
