import type { KubeObject } from '../../api/objects/kube-object.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';

/** Paths of the scale subresource. */
export interface ScaleOptions {
  /** The desired number, such as `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** The observed number, such as `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** A label selector in string form, such as `.status.selector`; HorizontalPodAutoscalers require it. */
  readonly labelSelectorPath?: string;
  /** Allows paths that do not lead to a field, or lead to a field of another type. */
  readonly anyPath?: boolean;
}

export const SCALE = metadataKey<ScaleOptions>('scale');

/** Adds the scale subresource, which `kubectl scale` and autoscalers use. */
export function Scale(options: ScaleOptions): (target: abstract new (...args: never[]) => KubeObject) => void {
  assertCalled(SCALE, options);
  return (target) => {
    prependMetadata(SCALE, target, options);
  };
}
