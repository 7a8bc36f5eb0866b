import type { KubeObject } from '../../api/kube-object.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** Where the scale subresource reads and writes. */
export interface ScaleOptions {
  /** The wanted number, such as `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** The observed number, such as `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** A selector as text, such as `.status.selector`; a HorizontalPodAutoscaler needs it. */
  readonly labelSelectorPath?: string;
  /** Lets paths lead to what is no field, or to a field of another type. */
  readonly anyPath?: boolean;
}

export const SCALE = metadataKey<ScaleOptions>('scale');

/** Gives a kind the scale subresource, which `kubectl scale` and autoscalers use. */
export function Scale(options: ScaleOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  return (target) => {
    prependMetadata(SCALE, target, options);
  };
}
