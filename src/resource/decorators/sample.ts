import type { KubeObject } from '../../api/kube-object.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** An object of the kind as a user would write it, metadata in short. */
export interface SampleOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The other fields, such as `spec`. */
  readonly [field: string]: unknown;
}

export const SAMPLE = metadataKey<SampleOptions>('sample');

/** Puts an example into the generated samples; it is checked against the schema. */
export function Sample(sample: SampleOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  return (target) => {
    prependMetadata(SAMPLE, target, sample);
  };
}
