import { eachObject } from '../../objects/api-object.js';
import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { AdmissionRequest } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** Lets pods stay on a node that is away for five minutes. */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';

  mutate({ operation, resource, subresource, object }: AdmissionRequest): ApiObject {
    if (resource.storage !== 'pods' || subresource !== '' || operation === 'DELETE') return object;
    const spec = objectAt(object, 'spec');
    const tolerations = eachObject(spec.tolerations);
    const missing = TAINTS.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
    if (missing.length === 0) return object;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
  }
}

function tolerates({ key, effect }: JsonObject, taint: string): boolean {
  return (key === taint || key === undefined) && (effect === 'NoExecute' || effect === undefined);
}
