import { deepClone } from '../../base/deep-clone.js';
import { without, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { decodeGo, firstMismatch } from '../schema/go-codec.js';
import { DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { goMergeType } from '../schema/go-merge-type.js';
import { builtinConversion, otherVersion } from './builtin-conversion.js';
import { encodeGo, normalizeAsStored } from '../schema/encode-go.js';
import { NO_OTHER_VERSIONS, type FieldVersions } from '../apply/field-versions.js';
import { goPackage } from '../schema/go-package.js';
import type { Codec } from '../resources/resource.js';
import { goQuoted } from '../../base/go-quoted.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';

export interface BuiltinCodecOptions {
  /** Name of the Go struct in the type table. */
  readonly struct: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly applyDefaults: ((object: ApiObject) => void) | undefined;
}

/** Returns the codec of a built-in kind. */
export function builtinCodec({ struct, apiVersion, kind, applyDefaults }: BuiltinCodecOptions): Codec {
  let empty: JsonObject | undefined;
  let versions: FieldVersions | undefined;
  const conversion = builtinConversion(apiVersion, kind);
  const decode = (value: JsonObject, report: DecodeReport): ApiObject => {
    const rest = without(decodeGo(struct, value, report), 'apiVersion', 'kind');
    return { kind, apiVersion, ...rest } as unknown as ApiObject;
  };
  const emptyObject = (): JsonObject => deepClone((empty ??= decode({ metadata: {} }, new DecodeReport())));
  return {
    decode(value, report) {
      try {
        const object = decode(value, report);
        assertAnnotatedNumbers(struct, object);
        return object;
      } catch (error) {
        throw error instanceof TypeMismatch ? (firstMismatch(struct, value) ?? error) : error;
      }
    },
    convert: (value) => decode(value, new DecodeReport()),
    encode: (object) => encodeGo(struct, object) as ApiObject,
    settle: (object) => normalizeAsStored(struct, object) as ApiObject,
    applyDefaults: (object) => applyDefaults?.(object),
    mergeType: goMergeType(struct),
    fieldVersions: () => (versions ??= builtinVersions(apiVersion, kind)),
    empty: emptyObject,
    bookmark: () => emptyBookmark(struct, emptyObject()),
    hasTypedItems: false,
    fromStorage: (object) => conversion?.fromStorage(object) ?? object,
    toStorage: (object) => {
      const stored = conversion?.toStorage(object);
      return stored ? inVersion(stored, stored.apiVersion, kind) : object;
    },
  };
}

function builtinVersions(apiVersion: string, kind: string): FieldVersions {
  const other = otherVersion(apiVersion, kind);
  if (!other) return NO_OTHER_VERSIONS;
  return {
    typeOf: (wanted) => (wanted === other.apiVersion ? goMergeType(`${goPackage(wanted)}.${kind}`) : undefined),
    convert(object, wanted) {
      const to = wanted === other.apiVersion ? other : (otherVersion(other.apiVersion, kind) ?? other);
      return inVersion(to.convert({ metadata: {}, ...object } as ApiObject), wanted, kind);
    },
  };
}

/** Returns a converted object with the required fields of its version, and without unknown ones. */
function inVersion(object: ApiObject, apiVersion: string, kind: string): ApiObject {
  const struct = `${goPackage(apiVersion)}.${kind}`;
  const { metadata, ...rest } = encodeGo(struct, decodeGo(struct, object, new DecodeReport()));
  return { ...rest, apiVersion, kind, metadata } as ApiObject;
}

const ROLLBACK = 'deprecated.deployment.rollback.to';

/** Rejects invalid numbers in annotations that represent internal fields. */
function assertAnnotatedNumbers(struct: string, { metadata: { annotations = {} } }: ApiObject): void {
  const [generation, revision = ''] = [annotations[TEMPLATE_GENERATION], annotations[ROLLBACK]];
  if (struct === 'apps/v1.DaemonSet' && generation !== undefined) {
    const problem = integerProblem(generation);
    if (problem !== undefined) throw new TypeMismatch(problem);
  }
  const problem = struct === 'apps/v1.Deployment' && revision !== '' ? integerProblem(revision) : undefined;
  if (problem !== undefined)
    throw new TypeMismatch(`failed to parse annotation[${ROLLBACK}]=${revision} as int64: ${problem}`);
}

/** Returns the error of strconv.ParseInt for an invalid integer. */
function integerProblem(text: string): string | undefined {
  const failure = (why: string): string => `strconv.ParseInt: parsing ${goQuoted(text)}: ${why}`;
  if (!/^[+-]?\d+$/.test(text)) return failure('invalid syntax');
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? undefined : failure('value out of range');
}

const WITH_REPLICAS = new Set(['apps/v1.Deployment', 'apps/v1.ReplicaSet', 'apps/v1.StatefulSet']);

/** Returns an empty object with the fields that the conversion from the internal version sets, as seen in bookmarks. */
function emptyBookmark(struct: string, empty: JsonObject): JsonObject {
  if (struct === 'apps/v1.DaemonSet') return { ...empty, metadata: { annotations: { [TEMPLATE_GENERATION]: '0' } } };
  return WITH_REPLICAS.has(struct) ? { ...empty, spec: { replicas: 0, ...(empty.spec as JsonObject) } } : empty;
}
