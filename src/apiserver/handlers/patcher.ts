import { goText } from '../apply/go-value.js';
import { stringifyJson } from '../../base/json.js';
import { invalidValue } from '../../api/field-error.js';
import { badRequest, invalid, StatusError } from '../errors/status-error.js';
import { isJsonObject, stringAt, without, type ApiObject, type JsonObject } from '../object.js';
import { jsonPatch } from '../patch/json-patch.js';
import { JsonPatchError } from '../patch/json-patch-error.js';
import { parseJsonPatch } from '../patch/json-patch-operations.js';
import { mergePatch } from '../patch/merge-patch.js';
import { goOrder, touchedByOperations } from '../patch/patched-text.js';
import { strategicMergePatch } from '../patch/strategic-merge-patch.js';
import type { Resource } from '../resources/resource.js';
import { DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { jsonTypeName } from '../schema/go-codec.js';
import { reportDuplicates } from '../schema/duplicate-keys.js';
import { parseBody, type RequestBody } from '../transport/api-request.js';
import { wrongKind } from './decode-body.js';
import type { FieldValidation } from './query-options.js';

/** Makes one kind of patch of one request; the words of its refusals are those of handlers/patch.go. */
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

  /** The patched object; `old` stays as it is. */
  abstract patch(old: ApiObject): ApiObject;

  /** The body as the members it changes. */
  protected parseMembers(prefix: string): JsonObject {
    let document: unknown;
    try {
      document = parseBody(this.body, '');
    } catch {
      throw badRequest(`error decoding patch: invalid JSON`);
    }
    if (isJsonObject(document)) return document;
    throw badRequest(
      `${prefix}json: cannot unmarshal ${jsonTypeName(document)} into Go value of type map[string]interface {}`,
    );
  }

  protected duplicates(): string[] {
    const report = new DecodeReport();
    if (this.validation !== 'Ignore') reportDuplicates(this.text, report);
    return report.problems;
  }

  /** The object a patched document stands for; `show` is how a refusal quotes it. */
  protected decode(patched: JsonObject, strict: readonly string[], show: () => string, words: Words): ApiObject {
    const report = new DecodeReport();
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

/** How decoders differ in what they report. */
interface Words {
  describe(error: TypeMismatch): string;
  sort(problems: string[]): string[];
}

const OF_JSON: Words = { describe: ({ message }) => message, sort: (problems) => problems };
const OF_CONVERTER: Words = { describe: ({ converted }) => converted, sort: (problems) => problems.sort() };

function invalidPatch(shown: string, why: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, why)]);
}

/** Patches JSON text, and reads what comes out. */
abstract class JsonPatcher extends Patcher {
  protected fromJson(old: ApiObject, patched: unknown, touched: unknown, strict: readonly string[]): ApiObject {
    const show = (): string =>
      stringifyJson(isJsonObject(patched) ? goOrder(this.resource, old, patched, touched) : patched);
    if (!isJsonObject(patched)) throw invalidPatch(show(), `couldn't get version/kind; json parse error: ${NO_OBJECT}`);
    if (this.resource.isCustom && stringAt(patched, 'kind') === '')
      throw invalidPatch(show(), `Object 'Kind' is missing in '${show()}'`);
    const why = wrongKind(this.resource, patched);
    if (why !== undefined) throw invalidPatch(show(), why);
    return this.decode(patched, strict, show, OF_JSON);
  }
}

const NO_OBJECT =
  'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

class OperationsPatcher extends JsonPatcher {
  private readonly operations = parseJsonPatch(this.text, this.validation !== 'Ignore');

  patch(old: ApiObject): ApiObject {
    const { operations, problems } = this.operations;
    return this.fromJson(old, this.applied(old), touchedByOperations(operations), problems);
  }

  /** The real server keeps to itself why an operation does not apply. */
  private applied(old: ApiObject): unknown {
    try {
      return jsonPatch(old, this.operations.operations);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
  }
}

class MergePatcher extends JsonPatcher {
  private readonly document = this.parseMembers('error decoding patch: ');

  patch(old: ApiObject): ApiObject {
    return this.fromJson(old, mergePatch(old, this.document), this.document, this.duplicates());
  }
}

class StrategicPatcher extends Patcher {
  private readonly document = this.parseMembers('');

  patch(old: ApiObject): ApiObject {
    const patched = strategicMergePatch(this.resource.codec.mergeType, old, this.document);
    // The object is taken for one of its kind, whatever the patch says.
    const typed = without(patched, 'apiVersion', 'kind');
    return this.decode(typed, this.duplicates(), () => goText(withoutNewNulls(this.document, old)), OF_CONVERTER);
  }
}

/** The patch as it is left when it has been applied: where the object had nothing, nulls are gone from it. */
function withoutNewNulls(patch: unknown, present: unknown): unknown {
  if (Array.isArray(patch))
    return present === undefined ? patch.map((item) => withoutNewNulls(item, undefined)) : patch;
  if (!isJsonObject(patch)) return patch;
  const own = isJsonObject(present) ? present : undefined;
  const kept = Object.entries(patch).filter(([, value]) => value !== null || own !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNewNulls(value, own?.[name])]));
}

const PATCHERS = {
  'application/json-patch+json': OperationsPatcher,
  'application/merge-patch+json': MergePatcher,
  'application/strategic-merge-patch+json': StrategicPatcher,
} as const;

/** What makes patches of a content type; custom resources know no strategic merge patch. */
export function patcherFor({ isCustom }: Resource, contentType: string) {
  if (isCustom && contentType === 'application/strategic-merge-patch+json') return undefined;
  return Object.hasOwn(PATCHERS, contentType) ? PATCHERS[contentType as keyof typeof PATCHERS] : undefined;
}
