import { numberAt, objectAt, stringAt, textOf, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { isNew, refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const CLASSES = 'priorityclasses.scheduling.k8s.io';

/** Sets the priority of pods from their class, and allows only one default class. */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';

  constructor(private readonly store: ObjectStore) {}

  mutate(request: AdmissionAttributes): ApiObject {
    const { object, old, operation, resource, subresource } = request;
    if (isNew(request, 'pods')) return this.prioritized(request);
    if (operation !== 'UPDATE' || resource.storage !== 'pods' || subresource !== '') return object;
    const [spec, former] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
    const { priority = former.priority, preemptionPolicy = former.preemptionPolicy } = spec;
    if (priority === spec.priority && preemptionPolicy === spec.preemptionPolicy) return object;
    return { ...object, spec: { ...spec, ...given({ priority, preemptionPolicy }) } };
  }

  validate(request: AdmissionAttributes): void {
    const { resource, operation, object } = request;
    if (resource.storage !== CLASSES || operation === 'DELETE' || object.globalDefault !== true) return;
    const present = this.defaultClass();
    if (!present || (operation === 'UPDATE' && present.metadata.name === object.metadata.name)) return;
    const why = `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`;
    throw refused(request, why);
  }

  private prioritized(request: AdmissionAttributes): ApiObject {
    const { object } = request;
    const spec = objectAt(object, 'spec');
    const wanted = stringAt(spec, 'priorityClassName');
    const found = wanted === '' ? this.defaultClass() : this.store.get(CLASSES, wanted)?.object;
    if (wanted !== '' && !found) throw refused(request, `no PriorityClass with name ${wanted} was found`);
    const priority = numberAt(found, 'value') ?? 0;
    const preemptionPolicy = found ? found.preemptionPolicy : 'PreemptLowerPriority';
    assertGiven(request, spec, priority, preemptionPolicy);
    const priorityClassName = found?.metadata.name;
    return { ...object, spec: { ...spec, ...given({ priorityClassName, priority, preemptionPolicy }) } };
  }

  /** Returns the default class with the lowest value. */
  private defaultClass(): ApiObject | undefined {
    const classes = [...this.store.collection(CLASSES).range('')].map(({ object }) => object);
    const defaults = classes.filter(({ globalDefault }) => globalDefault === true);
    return defaults.sort((a, b) => Number(a.value) - Number(b.value))[0];
  }
}

function assertGiven(request: AdmissionAttributes, spec: JsonObject, priority: number, policy: unknown): void {
  const computed = 'priority admission controller computed';
  if (spec.priority !== undefined && spec.priority !== priority) {
    const what = `the integer value of priority (${textOf(spec.priority)}) must not be provided in pod spec`;
    throw refused(request, `${what}; ${computed} ${priority} from the given PriorityClass name`);
  }
  if (policy === undefined || spec.preemptionPolicy === undefined || spec.preemptionPolicy === policy) return;
  const what = `the string value of PreemptionPolicy (${textOf(spec.preemptionPolicy)}) must not be provided in pod spec`;
  throw refused(request, `${what}; ${computed} ${textOf(policy)} from the given PriorityClass name`);
}

function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
