import { deepEqual } from '../../base/deep-equal.js';
import { objectAt } from '../object.js';
import type { Strategy } from '../resources/resource.js';

const GENERATION = 'deprecated.daemonset.template.generation';

/** DaemonSets count the templates they have had. */
export const daemonSetStrategy: Strategy = {
  hasGeneration: true,
  prepareForUpdate(next, old, subresource) {
    const former = Number(old.metadata.annotations?.[GENERATION] ?? 1);
    const isKept = subresource !== '' || deepEqual(objectAt(next, 'spec').template, objectAt(old, 'spec').template);
    next.metadata.annotations = { ...next.metadata.annotations, [GENERATION]: String(former + (isKept ? 0 : 1)) };
  },
};
