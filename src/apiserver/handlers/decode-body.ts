import { goPackage } from '../resources/builtin-resources.js';
import { badRequest } from '../errors/status-error.js';
import { isJsonObject, stringAt, type ApiObject, type JsonObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import { cannotHandle, DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { reportDuplicates } from '../schema/duplicate-keys.js';
import { decodeProtobuf } from '../schema/protobuf.js';
import { isProtobuf, parseBody, type RequestBody } from '../transport/api-request.js';
import type { FieldValidation } from './query-options.js';

/** Reads a body as an object of the resource, in its version. */
export function decodeBody(
  resource: Resource,
  body: RequestBody,
  validation: FieldValidation,
  warnings: string[],
): ApiObject {
  const report = new DecodeReport();
  if (isProtobuf(body)) {
    const value = decodeProtobuf(body.bytes, (apiVersion, kind) => `${goPackage(apiVersion)}.${kind}`);
    return decodeValue(resource, value, 'Ignore', report, warnings);
  }
  const value = parseBody(body, resource.kind);
  if (!isJsonObject(value))
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct`,
    );
  if (validation !== 'Ignore' && body.contentType !== 'application/yaml')
    reportDuplicates(body.bytes.toString(), report);
  return decodeValue(resource, value, validation, report, warnings);
}

/** Checks identity and types of a value and brings it into the resource's form. */
export function decodeValue(
  resource: Resource,
  value: JsonObject,
  validation: FieldValidation,
  report: DecodeReport,
  warnings: string[],
): ApiObject {
  const { kind, apiVersion } = resource;
  const [givenKind, givenVersion] = [stringAt(value, 'kind') || kind, stringAt(value, 'apiVersion') || apiVersion];
  if (resource.isCustom) checkCustomIdentity(resource, value);
  else checkIdentity(resource, givenKind, givenVersion);
  const version = resource.version;
  let object: ApiObject;
  try {
    object = resource.codec.decode({ ...value, kind, apiVersion }, report);
  } catch (error) {
    if (error instanceof TypeMismatch) throw cannotHandle(kind, version, kind, error.message);
    throw error;
  }
  const problems = [...new Set(report.problems)];
  if (problems.length === 0 || validation === 'Ignore') return object;
  if (validation === 'Strict') throw cannotHandle(kind, version, kind, `strict decoding error: ${problems.join(', ')}`);
  warnings.push(...problems);
  return object;
}

function checkIdentity({ kind, apiVersion, version }: Resource, givenKind: string, givenVersion: string): void {
  if (givenKind === kind && givenVersion === apiVersion) return;
  const [givenShort = ''] = givenVersion.split('/').reverse();
  if (givenVersion === apiVersion) {
    throw cannotHandle(
      givenKind,
      version,
      kind,
      `converting (${version}.${givenKind}) to (${kind}): unknown conversion`,
    );
  }
  throw cannotHandle(
    givenKind,
    givenShort,
    kind,
    `no kind "${givenKind}" is registered for version "${givenVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function checkCustomIdentity({ kind, apiVersion }: Resource, value: JsonObject): void {
  const [givenKind, givenVersion] = [stringAt(value, 'kind'), stringAt(value, 'apiVersion')];
  if (givenKind === '') {
    const text = JSON.stringify(value);
    const excerpt = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${excerpt})`,
    );
  }
  if (givenVersion !== '' && givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (givenKind !== kind) {
    throw badRequest(
      `${givenKind} in version ${JSON.stringify(apiVersion.split('/').at(-1))} cannot be handled as a ${kind}: an object of kind ${givenKind} was given`,
    );
  }
}
