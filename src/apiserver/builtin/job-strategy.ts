import { objectAt, type ApiObject } from '../object.js';
import type { Strategy } from '../resources/resource.js';
import { ensureObject } from './set-default.js';

/** Jobs select their pods by their own uid unless told to leave the selector alone. */
export const jobStrategy: Strategy = {
  hasGeneration: true,
  prepareForCreate(next: ApiObject) {
    const spec = ensureObject(next, 'spec');
    next.status = {};
    if (spec.manualSelector === true) return;
    const { uid = '', name } = next.metadata;
    const labels = {
      'controller-uid': uid,
      'job-name': name,
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
    };
    const metadata = ensureObject(ensureObject(spec, 'template'), 'metadata');
    metadata.labels = { ...objectAt(metadata, 'labels'), ...labels };
    const selector = ensureObject(spec, 'selector');
    selector.matchLabels = { ...objectAt(selector, 'matchLabels'), 'batch.kubernetes.io/controller-uid': uid };
  },
};
