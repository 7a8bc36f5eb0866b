import type { KubeObject } from '../../api/kube-object.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';

/** An example object of the kind, with metadata at the top level. */
export interface SampleOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The other fields, such as `spec`. */
  readonly [field: string]: unknown;
}

export const SAMPLE = metadataKey<SampleOptions>('sample');

/** Adds an example to the generated samples; it is validated against the schema. */
export function Sample(sample: SampleOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  assertCalled(SAMPLE, sample);
  return (target) => {
    prependMetadata(SAMPLE, target, sample);
  };
}
