import { parseYaml } from '../../../base/yaml.js';
import { badRequest, StatusError } from '../../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../../objects/api-object.js';
import { goPackage } from '../../schema/go-package.js';
import { jsonTypeName } from '../../schema/go-codec.js';
import { jsonSyntaxProblem } from '../../schema/json-syntax-problem.js';
import { parseShallowJson } from '../../schema/parse-shallow-json.js';
import { decodeProtobuf } from '../../schema/protobuf.js';
import { yamlSyntaxProblem } from '../../schema/yaml-syntax-problem.js';
import { isProtobuf, type RequestBody } from '../request/api-request.js';

/** A body without readable type metadata; the message is that of Kubernetes' serializers. */
export class UnreadableBody extends Error {}

/**
 * Parses a body of any supported format.
 * @throws UnreadableBody
 */
export function bodyValue(body: RequestBody): JsonObject {
  const value = parse(body) ?? {};
  const problem = typeMetaProblem(value);
  if (problem !== undefined) throw new UnreadableBody(problem);
  return value as JsonObject;
}

/** Returns why the type metadata of a value is unreadable; undefined if it is readable. */
export function typeMetaProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return unmarshalled(jsonTypeName(value), `Go value of type ${TYPE_META}`);
  const wrong = typeMembers(value).find(([, given]) => typeof given !== 'string');
  return wrong && unmarshalled(jsonTypeName(wrong[1]), `Go struct field .${wrong[0]} of type string`);
}

/** Returns the type metadata of a value like encoding/json, which ignores case and uses the last duplicate. */
export function typeMetaOf(value: JsonObject): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: '', kind: '', ...Object.fromEntries(typeMembers(value)) };
}

function typeMembers(value: JsonObject): [name: 'apiVersion' | 'kind', given: unknown][] {
  return (['apiVersion', 'kind'] as const).flatMap((name) =>
    Object.entries(value)
      .filter(([key, given]) => key.toLowerCase() === name.toLowerCase() && given !== null && given !== undefined)
      .map(([, given]): [typeof name, unknown] => [name, given]),
  );
}

/** The Go type of the first decoding step. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function unmarshalled(given: string, wanted: string): string {
  return unreadable(`json: cannot unmarshal ${given} into ${wanted}`);
}

function unreadable(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

function parse({ bytes, contentType }: RequestBody): unknown {
  const text = bytes.toString();
  const isYaml = contentType === 'application/yaml';
  try {
    return isYaml ? parseYaml(text, 'body', { lastOfDuplicates: true }) : parseShallowJson(text);
  } catch (error) {
    if (isYaml) throw new UnreadableBody(yamlSyntaxProblem(error));
    throw new UnreadableBody(unreadable(jsonSyntaxProblem(bytes) ?? 'unexpected end of JSON input'));
  }
}

/**
 * Parses a body that should contain an object of a kind.
 * @throws StatusError when its type metadata cannot be read
 */
export function recognized(body: RequestBody, kind: string): JsonObject {
  try {
    if (!isProtobuf(body)) return bodyValue(body);
  } catch (error) {
    throw error instanceof UnreadableBody ? unrecognized(body, kind, error.message) : error;
  }
  try {
    return decodeProtobuf(body.bytes, (apiVersion, given) => `${goPackage(apiVersion)}.${given}`);
  } catch (error) {
    throw error instanceof StatusError ? unrecognized(body, kind, error.message) : error;
  }
}

/** The error of a body without a recognizable kind. */
export function unrecognized({ bytes }: RequestBody, kind: string, why: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${excerpt(bytes)})`);
}

const EXCERPT_BYTES = 30;
const OPENING_BRACE = 0x7b;

/** Returns the first bytes, in hexadecimal unless they begin an object: summarizeData. */
function excerpt(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, EXCERPT_BYTES).toString(bytes[0] === OPENING_BRACE ? 'utf8' : 'hex');
  return bytes.length > EXCERPT_BYTES ? `${start} ...` : start;
}
