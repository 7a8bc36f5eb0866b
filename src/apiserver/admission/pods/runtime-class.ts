import { goQuoted } from '../../../base/go-quoted.js';
import { deepEqual } from '../../../base/deep-equal.js';
import {
  eachObject,
  isJsonObject,
  objectAt,
  textOf,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { StatusError } from '../../errors/status-error.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { isNew, refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { mergeTolerations } from './tolerations.js';

/** Sets the overhead and scheduling constraints of a pod's runtime class. */
export class RuntimeClassAdmission implements AdmissionPlugin {
  readonly name = 'RuntimeClass';

  constructor(private readonly store: ObjectStore) {}

  mutate(request: AdmissionAttributes): ApiObject {
    const { object } = request;
    const runtimeClass = this.classOf(request);
    if (!runtimeClass) return object;
    const spec = objectAt(object, 'spec');
    const overhead = objectAt(runtimeClass, 'overhead').podFixed;
    if (overhead !== undefined && spec.overhead !== undefined && !deepEqual(overhead, spec.overhead))
      throw refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    const scheduled = isJsonObject(runtimeClass.scheduling) ? scheduling(request, spec, runtimeClass.scheduling) : {};
    return { ...object, spec: { ...spec, ...(overhead !== undefined && { overhead }), ...scheduled } };
  }

  validate(request: AdmissionAttributes): void {
    if (!isNew(request, 'pods')) return;
    const overhead = objectAt(this.classOf(request), 'overhead').podFixed;
    const own = objectAt(request.object, 'spec').overhead;
    if (deepEqual(overhead, own)) return;
    throw refused(
      request,
      overhead === undefined
        ? 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
        : "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
  }

  private classOf(request: AdmissionAttributes): ApiObject | undefined {
    const { runtimeClassName: name } = objectAt(request.object, 'spec');
    if (!isNew(request, 'pods') || typeof name !== 'string') return undefined;
    // An absent class is allowed; for an empty name, the real server's lookup fails.
    if (name === '') throw new StatusError(500, '', 'resource name may not be empty');
    const found = this.store.get('runtimeclasses.node.k8s.io', name);
    if (!found) throw refused(request, `pod rejected: RuntimeClass ${goQuoted(name)} not found`);
    return found.object;
  }
}

function scheduling(request: AdmissionAttributes, spec: JsonObject, wanted: JsonObject): JsonObject {
  const own = objectAt(spec, 'nodeSelector');
  for (const [key, value] of Object.entries(objectAt(wanted, 'nodeSelector'))) {
    if (own[key] === undefined || own[key] === value) continue;
    const what = `runtimeClass.scheduling.nodeSelector[${key}] = ${textOf(value)}`;
    throw refused(request, `conflict: ${what}; pod.spec.nodeSelector[${key}] = ${textOf(own[key])}`);
  }
  const nodeSelector = { ...own, ...objectAt(wanted, 'nodeSelector') };
  const tolerations = mergeTolerations(eachObject(spec.tolerations), eachObject(wanted.tolerations));
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}
