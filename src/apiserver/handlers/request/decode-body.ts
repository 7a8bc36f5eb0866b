import { goQuoted } from '../../../base/go-quoted.js';
import { isKnownKind } from '../../builtin/builtin-resources.js';
import { badRequest } from '../../errors/status-error.js';
import { stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { cannotHandle, DecodeReport, TypeMismatch } from '../../schema/decode-report.js';
import { hasDuplicates, mergedMembers, problemsInOrder, reportDuplicates } from '../../schema/duplicate-keys.js';
import { duplicateKeysError, duplicateYamlKeys } from '../../schema/duplicate-yaml-keys.js';
import { numberOverflow } from '../../schema/number-overflow.js';
import { isProtobuf, type RequestBody } from '../../transport/request/api-request.js';
import { recognized, typeMetaOf, unrecognized } from '../../transport/response/body-value.js';
import type { FieldValidation } from './query-options.js';

/** The properties of a resource that decoding needs; also implemented by kinds that are not stored. */
export type Decodable = Pick<Resource, 'kind' | 'apiVersion' | 'version' | 'isCustom' | 'codec'> & {
  /** Older API versions with the same schema that are still accepted. */
  readonly formerVersions?: readonly string[];
};

/** A value to decode and how strictly to decode it. */
interface Reading {
  readonly value: JsonObject;
  readonly validation: FieldValidation;
  readonly warnings: string[];
  /** The JSON text, to find duplicate keys. */
  readonly text?: string;
  readonly hasDuplicates?: boolean;
  /** Duplicate keys of YAML. */
  readonly repeated?: readonly string[];
}

/** Decodes a body as an object of the resource, in the resource's version. */
export function decodeBody(
  resource: Decodable,
  body: RequestBody,
  validation: FieldValidation,
  warnings: string[],
): ApiObject {
  const value = recognized(body, resource.kind);
  if (isProtobuf(body)) return decodeValue(resource, { value, validation: 'Ignore', warnings });
  if (resource.isCustom && stringAt(value, 'kind') === '') throw missingKind(resource, value, body, validation);
  const text = body.bytes.toString();
  if (body.contentType === 'application/yaml') {
    const repeated = validation === 'Ignore' ? [] : duplicateYamlKeys(text);
    return decodeValue(resource, { value, validation, warnings, repeated });
  }
  const overflow = resource.isCustom ? numberOverflow(text) : undefined;
  if (overflow !== undefined)
    throw cannotHandle(givenKind(resource, value), versionOf(value, resource), resource.kind, overflow);
  if (resource.isCustom || !hasDuplicates(text)) return decodeValue(resource, { value, validation, warnings, text });
  const merged = mergedMembers(text) as JsonObject;
  return decodeValue(resource, { value: merged, validation, warnings, text, hasDuplicates: true });
}

/** Checks identity and types of a value and converts it to the resource's kind. */
function decodeValue(resource: Decodable, reading: Reading): ApiObject {
  const { apiVersion, isCustom } = resource;
  const { value, validation } = reading;
  const version = versionOf(value, resource);
  assertIdentity(resource, value);
  const report = new DecodeReport();
  if (reading.text !== undefined && isCustom && validation !== 'Ignore') reportDuplicates(reading.text, report);
  const object = decoded(resource, value, report, version);
  if (validation !== 'Ignore') reportProblems(resource, reading, report, version);
  if (isCustom && stringAt(value, 'apiVersion') !== apiVersion) throw otherVersion(resource, value);
  return object;
}

/** Rejects unknown and duplicate fields in strict mode; otherwise adds warnings. */
function reportProblems(resource: Decodable, reading: Reading, report: DecodeReport, version: string): void {
  const { value, validation, warnings, repeated = [] } = reading;
  const problems = problemsOf(reading, report, resource.isCustom);
  if (validation === 'Strict' && problems.length + repeated.length > 0) {
    const errors = repeated.length === 0 ? problems : [duplicateKeysError(repeated), ...problems];
    const why = `strict decoding error: ${errors.join(', ')}`;
    throw cannotHandle(givenKind(resource, value), version, resource.kind, why);
  }
  warnings.push(...repeated, ...problems);
}

function problemsOf(
  { text, hasDuplicates: isOdd = false }: Reading,
  report: DecodeReport,
  isCustom: boolean,
): string[] {
  const unknown = report.problems;
  if (text === undefined || isCustom) return [...new Set(unknown)];
  return isOdd || unknown.length > 0 ? problemsInOrder(text, unknown) : [];
}

function decoded(resource: Decodable, value: JsonObject, report: DecodeReport, version: string): ApiObject {
  const { kind, apiVersion, codec, isCustom } = resource;
  try {
    return codec.decode(isCustom ? value : { kind, apiVersion, ...value }, report);
  } catch (error) {
    throw error instanceof TypeMismatch
      ? cannotHandle(givenKind(resource, value), version, kind, error.message)
      : error;
  }
}

/** Returns the kind in a custom resource's body, which is validated later than those of built-in kinds. */
function givenKind({ isCustom, kind }: Decodable, value: JsonObject): string {
  return (isCustom && stringAt(value, 'kind')) || kind;
}

/** Returns the version in a custom resource's body; for other resources it has been checked. */
function versionOf(value: JsonObject, { isCustom, version }: Decodable): string {
  return isCustom ? (stringAt(value, 'apiVersion').split('/').at(-1) ?? '') : version;
}

function assertIdentity(resource: Decodable, value: JsonObject): void {
  const { kind, apiVersion, isCustom } = resource;
  if (isCustom && value.apiVersion === null) throw otherVersion(resource, value);
  const { kind: shownKind, apiVersion: givenVersion } = typeMetaOf(value);
  const why = wrongKind(resource, value);
  const [givenShort = ''] = (givenVersion || apiVersion).split('/').reverse();
  if (why !== undefined) throw cannotHandle(shownKind || kind, givenShort, kind, why);
}

/** Returns the error of a null or different apiVersion. */
function otherVersion({ kind, apiVersion }: Decodable, value: JsonObject): Error {
  if (value.apiVersion === null) {
    const why = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
    return cannotHandle(stringAt(value, 'kind'), '', kind, why);
  }
  const given = stringAt(value, 'apiVersion');
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
}

/** Returns the error of a missing kind; its wording depends on the validation mode. */
function missingKind(
  { kind, version }: Decodable,
  value: JsonObject,
  body: RequestBody,
  validation: FieldValidation,
): Error {
  const text = body.contentType === 'application/yaml' ? JSON.stringify(value) : body.bytes.toString();
  const why = `Object 'Kind' is missing in '${text}'`;
  return validation === 'Ignore' ? cannotHandle(kind, version, kind, why) : unrecognized(body, kind, why);
}

/** Returns why the type metadata of a value does not match the resource; undefined if it does. */
export function wrongKind(
  { kind, apiVersion, version, isCustom, formerVersions }: Decodable,
  value: JsonObject,
): string | undefined {
  const given = typeMetaOf(value);
  const [givenKind, givenVersion] = [given.kind || kind, given.apiVersion || apiVersion];
  const isKnown = givenVersion === apiVersion || formerVersions?.includes(givenVersion) === true;
  if (isCustom || (givenKind === kind && isKnown)) return undefined;
  if (givenVersion === apiVersion && isKnownKind(apiVersion, givenKind))
    return `converting (${version}.${givenKind}) to (${kind}): unknown conversion`;
  return `no kind ${goQuoted(givenKind)} is registered for version ${goQuoted(givenVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}
