import { deepClone } from '../../../base/deep-clone.js';
import { goText } from '../../apply/go-value.js';
import { stringifyJson } from '../../../base/json.js';
import { parseYaml } from '../../../base/yaml.js';
import { invalidValue } from '../../../api/protocol/field-error.js';
import { badRequest, internalError, invalid, StatusError } from '../../errors/status-error.js';
import { isJsonObject, stringAt, without, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { jsonPatch } from '../../patch/json-patch.js';
import { JsonPatchError } from '../../patch/json-patch-error.js';
import { parseJsonPatch, type JsonPatchOperation } from '../../patch/json-patch-operations.js';
import { applyMergePatch } from '../../patch/apply-merge-patch.js';
import { withoutNulls } from '../../patch/without-nulls.js';
import { goOrder, touchedByOperations } from '../../patch/patched-text.js';
import { strategicMergePatch } from '../../patch/strategic-merge-patch.js';
import type { Resource } from '../../resources/resource.js';
import { DecodeReport, TypeMismatch, unknownFieldProblem } from '../../schema/decode-report.js';
import { decodeGo, jsonTypeName } from '../../schema/go-codec.js';
import { numberOverflow } from '../../schema/number-overflow.js';
import { jsonSyntaxProblem } from '../../schema/json-syntax-problem.js';
import { parseShallowJson } from '../../schema/parse-shallow-json.js';
import { problemsInOrder, reportDuplicates } from '../../schema/duplicate-keys.js';
import type { RequestBody } from '../../transport/request/api-request.js';
import { typeMetaProblem } from '../../transport/response/body-value.js';
import { wrongKind } from '../request/decode-body.js';
import type { FieldValidation } from '../request/query-options.js';

/** Applies the patches of one patch type. Error messages are those of handlers/patch.go. */
abstract class Patcher {
  protected readonly text: string;

  constructor(
    protected readonly resource: Resource,
    protected readonly body: RequestBody,
    protected readonly validation: FieldValidation,
    private readonly warnings: string[],
  ) {
    this.text = body.bytes.toString();
  }

  /** Returns the patched object; `old` is not changed. */
  abstract patch(old: ApiObject): ApiObject;

  /** Parses the body as an object of changed members; null changes nothing. */
  protected parseMembers(prefix: string): JsonObject | null {
    const document = this.parse(prefix);
    if (isJsonObject(document) || document === null) return document;
    throw badRequest(
      `${prefix}json: cannot unmarshal ${jsonTypeName(document)} into Go value of type map[string]interface {}`,
    );
  }

  protected parse(prefix: string): unknown {
    try {
      const overflow = this.body.contentType === 'application/yaml' ? undefined : numberOverflow(this.text);
      if (overflow !== undefined) throw badRequest(`${prefix}${overflow}`);
      return this.body.contentType === 'application/yaml' ? parseYaml(this.text, 'body') : parseShallowJson(this.text);
    } catch (error) {
      if (error instanceof StatusError) throw error;
      throw badRequest(`${prefix}${jsonSyntaxProblem(this.text) ?? 'unexpected end of JSON input'}`);
    }
  }

  protected duplicates(): string[] {
    const report = new DecodeReport();
    if (this.validation !== 'Ignore') reportDuplicates(this.text, report);
    return report.problems;
  }

  /** Decodes a patched document; `show` returns the document for error messages. */
  protected decode(patched: JsonObject, strict: readonly string[], show: () => string, words: Words): ApiObject {
    const report = new DecodeReport(words.isOfDecoded);
    const object = this.tryDecode(patched, report, show, words);
    const problems = [...new Set([...strict, ...(this.validation === 'Ignore' ? [] : words.sort(report.problems))])];
    if (problems.length > 0 && this.validation === 'Strict')
      throw invalidPatch(show(), `strict decoding error: ${problems.join(', ')}`);
    this.warnings.push(...problems);
    return object;
  }

  private tryDecode(patched: JsonObject, report: DecodeReport, show: () => string, words: Words): ApiObject {
    try {
      return this.resource.codec.decode(patched, report);
    } catch (error) {
      throw error instanceof TypeMismatch ? invalidPatch(show(), words.describe(error)) : error;
    }
  }
}

/** The differences between decoders in what they report. */
interface Words {
  describe(error: TypeMismatch): string;
  sort(problems: string[]): string[];
  readonly isOfDecoded: boolean;
}

const OF_JSON = { describe: ({ message }: TypeMismatch) => message, isOfDecoded: false } as const;
const OF_CONVERTER: Words = {
  describe: ({ converted }) => converted,
  sort: (problems) => problems.sort(),
  isOfDecoded: true,
};

function invalidPatch(shown: string, why: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, why)]);
}

/** Patches the JSON form of an object and decodes the result. */
abstract class JsonPatcher extends Patcher {
  /** Decodes a document without apiVersion: the real server treats all its fields as unknown. */
  private withoutVersion(patched: JsonObject, strict: readonly string[], show: () => string): ApiObject {
    if (this.resource.isCustom) {
      if (patched.apiVersion === null)
        throw invalidPatch(show(), '.apiVersion accessor error: <nil> is of the type <nil>, expected string');
      throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    }
    const { apiVersion, kind } = this.resource;
    const unknown = Object.keys(patched).filter((key) => key !== 'apiVersion' && key !== 'kind');
    const problems = this.validation === 'Ignore' ? [] : unknown.sort().map(unknownFieldProblem);
    return this.decode({ apiVersion, kind }, [...strict, ...problems], show, { ...OF_JSON, sort: (found) => found });
  }

  protected fromJson(old: ApiObject, patched: unknown, touched: unknown, strict: readonly string[]): ApiObject {
    const show = (): string =>
      stringifyJson(isJsonObject(patched) ? goOrder(this.resource, old, patched, touched) : patched);
    const problem = typeMetaProblem(patched);
    if (problem !== undefined || !isJsonObject(patched)) throw invalidPatch(show(), problem ?? '');
    if (this.resource.isCustom && stringAt(patched, 'kind') === '')
      throw invalidPatch(show(), `Object 'Kind' is missing in '${show()}'`);
    const why = wrongKind(this.resource, patched);
    if (why !== undefined) throw invalidPatch(show(), why);
    if (stringAt(patched, 'apiVersion') === '') return this.withoutVersion(patched, strict, show);
    const words = {
      ...OF_JSON,
      sort: (problems: string[]) => (problems.length < 2 ? problems : problemsInOrder(show(), problems)),
    };
    return this.decode(patched, strict, show, words);
  }
}

class OperationsPatcher extends JsonPatcher {
  patch(old: ApiObject): ApiObject {
    const { operations, problems } = parseJsonPatch(this.text, this.validation !== 'Ignore');
    return this.fromJson(old, this.applied(old, operations), touchedByOperations(operations), problems);
  }

  /** Applies the operations; as in the real server, the error does not contain the reason. */
  private applied(old: ApiObject, operations: readonly JsonPatchOperation[]): unknown {
    try {
      return jsonPatch(old, operations);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
  }
}

class MergePatcher extends JsonPatcher {
  patch(old: ApiObject): ApiObject {
    const document = this.document();
    const patched = isJsonObject(document) ? applyMergePatch(old, document) : withoutNulls(document);
    return this.fromJson(old, patched, document, this.duplicates());
  }

  /** Parses the patch. Without validation, a list is accepted and replaces the object. */
  private document(): object {
    const document = this.validation === 'Ignore' ? this.unchecked() : this.parseMembers('error decoding patch: ');
    if (typeof document !== 'object' || document === null) throw badRequest(BAD_PATCH);
    return document;
  }

  private unchecked(): unknown {
    if (jsonSyntaxProblem(this.text) !== undefined) throw badRequest(BAD_PATCH);
    return this.parse('');
  }
}

const BAD_PATCH = 'Invalid JSON Patch';

class StrategicPatcher extends Patcher {
  patch(old: ApiObject): ApiObject {
    const document = this.parseMembers('') ?? {};
    const patched = strategicMergePatch(this.resource.codec.mergeType, deepClone({ ...old }), document);
    const show = (): string => goText(document);
    assertTypeMeta(patched, show);
    // The result is decoded as the resource's kind, whatever type the patch sets.
    const typed = without(patched, 'apiVersion', 'kind');
    return this.decode(typed, this.duplicates(), show, OF_CONVERTER);
  }
}

/** Checks that apiVersion and kind are strings; their values are not checked. */
function assertTypeMeta({ apiVersion, kind }: JsonObject, show: () => string): void {
  try {
    decodeGo('meta/v1.OwnerReference', { apiVersion, kind }, new DecodeReport());
  } catch (error) {
    throw error instanceof TypeMismatch ? invalidPatch(show(), error.converted) : error;
  }
}

const PATCHERS = {
  'application/json-patch+json': OperationsPatcher,
  'application/merge-patch+json': MergePatcher,
  'application/strategic-merge-patch+json': StrategicPatcher,
} as const;

/** Returns the patcher class for a content type; custom resources do not support strategic merge patches. */
export function patcherFor({ isCustom }: Resource, contentType: string) {
  if (isCustom && contentType === 'application/strategic-merge-patch+json') return undefined;
  return Object.hasOwn(PATCHERS, contentType) ? PATCHERS[contentType as keyof typeof PATCHERS] : undefined;
}
