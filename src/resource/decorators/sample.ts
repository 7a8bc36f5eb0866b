import type { KubeObject } from '../../api/objects/kube-object.js';
import { splitGate, type FeatureGate, type Gated } from '../feature-gates.js';
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

/** A sample without its gate. */
export interface SampleEntry {
  readonly sample: SampleOptions;
  readonly gate: FeatureGate | undefined;
}

export const SAMPLE = metadataKey<SampleEntry>('sample', ({ gate }) => gate);

/** Adds an example to the generated samples; it is validated against the schema. */
export function Sample(
  options: SampleOptions & Gated,
): (target: abstract new (...args: never[]) => KubeObject) => void {
  assertCalled(SAMPLE, options);
  const { gate, rest: sample } = splitGate<SampleOptions>(options);
  return (target) => {
    prependMetadata(SAMPLE, target, { sample, gate });
  };
}
