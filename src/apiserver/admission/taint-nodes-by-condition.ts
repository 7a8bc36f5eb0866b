import { eachObject, objectAt, type ApiObject } from '../objects/api-object.js';
import type { AdmissionAttributes } from '../registry/admission.js';
import type { AdmissionPlugin } from './admission-plugin.js';

/** The taint that keeps pods off a node until its kubelet reports ready. */
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Taints each new node as not ready. */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = 'TaintNodesByCondition';

  mutate({ operation, resource, subresource, object }: AdmissionAttributes): ApiObject {
    if (resource.storage !== 'nodes' || subresource !== '' || operation !== 'CREATE') return object;
    const spec = objectAt(object, 'spec');
    const taints = eachObject(spec.taints);
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return object;
    return { ...object, spec: { ...spec, taints: [...taints, { ...NOT_READY }] } };
  }
}
