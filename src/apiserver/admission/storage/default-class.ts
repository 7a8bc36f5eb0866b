import { objectAt, type ApiObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { isNew, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

export interface ClassDefault {
  readonly name: 'DefaultStorageClass' | 'DefaultIngressClass';
  /** The collection of objects that get a default class. */
  readonly of: string;
  readonly classes: string;
  readonly field: string;
  /** Annotations that mark a class as the default. */
  readonly marks: readonly string[];
  /** The deprecated annotation for the class name. */
  readonly former: string;
}

export const DEFAULT_STORAGE_CLASS: ClassDefault = {
  name: 'DefaultStorageClass',
  of: 'persistentvolumeclaims',
  classes: 'storageclasses.storage.k8s.io',
  field: 'storageClassName',
  marks: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
  former: 'volume.beta.kubernetes.io/storage-class',
};

export const DEFAULT_INGRESS_CLASS: ClassDefault = {
  name: 'DefaultIngressClass',
  of: 'ingresses.networking.k8s.io',
  classes: 'ingressclasses.networking.k8s.io',
  field: 'ingressClassName',
  marks: ['ingressclass.kubernetes.io/is-default-class'],
  former: 'kubernetes.io/ingress.class',
};

/** Sets the default class of objects without a class. */
export class DefaultClass implements AdmissionPlugin {
  readonly name: string;

  constructor(
    private readonly store: ObjectStore,
    private readonly kind: ClassDefault,
  ) {
    this.name = kind.name;
  }

  mutate(request: AdmissionAttributes): ApiObject {
    const { object } = request;
    const { of, field, former } = this.kind;
    if (!isNew(request, of)) return object;
    const spec = objectAt(object, 'spec');
    if (spec[field] !== undefined || object.metadata.annotations?.[former] !== undefined) return object;
    const found = defaultClass(this.store, this.kind);
    return found ? { ...object, spec: { ...spec, [field]: found.metadata.name } } : object;
  }
}

/** Returns the newest default class; of classes created in the same second, the first by name. */
export function defaultClass(store: ObjectStore, { classes, marks }: ClassDefault): ApiObject | undefined {
  const all = [...store.collection(classes).range('')].map(({ object }) => object);
  const marked = all.filter(({ metadata }) => marks.some((mark) => metadata.annotations?.[mark] === 'true'));
  const ageOf = ({ metadata }: ApiObject): string => metadata.creationTimestamp ?? '';
  return marked.sort((a, b) => ageOf(b).localeCompare(ageOf(a)))[0];
}
