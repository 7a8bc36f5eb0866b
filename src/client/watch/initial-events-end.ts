import type { KubeObject } from '../../api/objects/kube-object.js';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** Returns whether a bookmark ends the initial events: the annotation must be "true", not merely present. */
export function isInitialEventsEnd({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}
