import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { arrayAt, stringAt, type ApiObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { PathSet } from '../apply/path-set.js';
import { dnsLabelErrors, qualifiedNameErrors } from '../../api/objects/names.js';
import { kubernetesFinalizerErrors } from '../validation/fields/object-meta.js';
import { objectThenChange } from '../validation/update-order.js';
import { deletionPrecondition } from './deletion-precondition.js';
import { ensureObject } from '../objects/set-defaults.js';

const STATUS = PathSet.fromFieldsV1({ 'f:status': {} });

/** Sets the label for selecting namespaces by name. pkg/registry/core/namespace/strategy.go, Canonicalize. */
export function labelNamespace({ metadata }: ApiObject): void {
  metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

const newErrors = (namespace: ApiObject): FieldError[] => finalizerErrors(namespace, () => 'spec.finalizers');

/** The strategy of namespaces: they are created Active, with a finalizer in the spec. */
export const namespaceStrategy: Strategy = {
  metadataChecks: 'own',
  validateName: dnsLabelErrors,
  prepareForCreate(next: ApiObject) {
    if (next.metadata.name) labelNamespace(next); // a generated name is missing when defaults are set
    next.status = { phase: 'Active' };
    const spec = ensureObject(next, 'spec');
    const finalizers = arrayAt(spec, 'finalizers');
    if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes'];
  },
  prepareForUpdate(next: ApiObject, old: ApiObject, subresource: string) {
    if (subresource === 'finalize') next.status = old.status;
    else next.spec = old.spec;
  },
  validate: newErrors,
  validateUpdate: objectThenChange(
    newErrors,
    (next, _old, subresource) => {
      if (subresource === 'status') return phaseErrors(next);
      return subresource === '' ? [] : finalizerErrors(next, (index) => `spec.finalizers[${index}]`);
    },
    { nameErrors: dnsLabelErrors },
  ),
  assertDeletion: deletionPrecondition('', 'namespaces'),
  resetFields: (subresource) => (subresource === 'finalize' ? STATUS : undefined),
};

function finalizerErrors({ spec }: ApiObject, fieldOf: (index: number) => string): FieldError[] {
  return arrayAt(spec, 'finalizers').flatMap((value, index) => {
    const [field, finalizer] = [fieldOf(index), String(value)];
    return [
      ...qualifiedNameErrors(finalizer).map((message) => invalidValue(field, finalizer, message)),
      ...kubernetesFinalizerErrors(field, finalizer),
    ];
  });
}

/** Returns an error unless the phase reflects whether the namespace is being deleted. */
function phaseErrors({ metadata, status }: ApiObject): FieldError[] {
  const phase = stringAt(status, 'phase');
  const isTerminating = metadata.deletionTimestamp !== undefined;
  const detail = isTerminating
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return phase === (isTerminating ? 'Terminating' : 'Active') ? [] : [invalidValue('status.Phase', phase, detail)];
}
