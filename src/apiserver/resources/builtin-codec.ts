import { deepClone } from '../../base/deep-clone.js';
import { without, type ApiObject, type JsonObject } from '../object.js';
import { decodeGo } from '../schema/go-codec.js';
import { DecodeReport } from '../schema/decode-report.js';
import { goMergeType } from '../schema/go-merge-type.js';
import { builtinConversion } from '../builtin/builtin-conversion.js';
import { emptyBookmark } from '../builtin/empty-bookmark.js';
import { encodeGo, settleGo } from '../schema/settle-go.js';
import type { Codec } from './resource.js';

export interface BuiltinCodecOptions {
  /** Name of the Go struct in the type table. */
  readonly struct: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly applyDefaults: ((object: ApiObject) => void) | undefined;
}

/** The codec of one of Kubernetes' own kinds. */
export function builtinCodec({ struct, apiVersion, kind, applyDefaults }: BuiltinCodecOptions): Codec {
  let empty: JsonObject | undefined;
  const conversion = builtinConversion(apiVersion, kind);
  const decode = (value: JsonObject, report: DecodeReport): ApiObject => {
    const rest = without(decodeGo(struct, value, report), 'apiVersion', 'kind');
    return { kind, apiVersion, ...rest } as unknown as ApiObject;
  };
  const emptyObject = (): JsonObject => deepClone((empty ??= decode({ metadata: {} }, new DecodeReport())));
  return {
    decode,
    convert: (value) => decode(value, new DecodeReport()),
    encode: (object) => encodeGo(struct, object) as ApiObject,
    settle: (object) => settleGo(struct, object) as ApiObject,
    applyDefaults: (object) => applyDefaults?.(object),
    mergeType: goMergeType(struct),
    empty: emptyObject,
    bookmark: () => emptyBookmark(struct, emptyObject()),
    hasTypedItems: false,
    fromStorage: (object) => conversion?.fromStorage(object) ?? object,
    toStorage: (object) => conversion?.toStorage(object) ?? object,
  };
}
