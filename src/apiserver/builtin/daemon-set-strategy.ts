import { deepEqual } from '../../base/deep-equal.js';
import { objectAt } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';

/** DaemonSets count the templates they have had. */
export const daemonSetStrategy: Strategy = {
  hasGeneration: true,
  prepareForCreate({ metadata }) {
    const given = Number(metadata.annotations?.[TEMPLATE_GENERATION]);
    if (!(given >= 1)) metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: '1' };
  },
  prepareForUpdate(next, old, subresource) {
    const former = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
    const isKept = subresource !== '' || deepEqual(objectAt(next, 'spec').template, objectAt(old, 'spec').template);
    next.metadata.annotations = {
      ...next.metadata.annotations,
      [TEMPLATE_GENERATION]: String(former + (isKept ? 0 : 1)),
    };
  },
};
