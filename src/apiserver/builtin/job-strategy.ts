import { objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { ensureObject } from '../objects/set-defaults.js';

/** Jobs select their pods by their own uid unless told to leave the selector alone. */
export const jobStrategy: Strategy = {
  hasGeneration: true,
  defaultPropagation: 'Orphan',
  propagationWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  prepareForCreate(next: ApiObject) {
    const spec = ensureObject(next, 'spec');
    next.status = {};
    if (spec.manualSelector !== true) generateSelector(next, spec);
  },
};

function generateSelector(next: ApiObject, spec: JsonObject): void {
  const { uid = '' } = next.metadata;
  const name = stringAt(next.metadata, 'name');
  const added = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  Object.assign(labels, { ...added, ...labels });
  const selector = ensureObject(spec, 'selector');
  selector.matchLabels = { ...objectAt(selector, 'matchLabels'), 'batch.kubernetes.io/controller-uid': uid };
}
