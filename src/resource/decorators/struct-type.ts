import { metadataKey, prependMetadata } from '../metadata.js';

export const STRUCT_TYPE = metadataKey<'atomic' | 'granular'>('structType');

/** Sets the merge strategy of server-side apply for the class: `atomic` as one value, `granular` field by field. */
export function StructType(type: 'atomic' | 'granular'): (target: abstract new (...args: never[]) => object) => void {
  return (target) => {
    prependMetadata(STRUCT_TYPE, target, type);
  };
}
