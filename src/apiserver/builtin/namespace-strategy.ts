import type { ApiObject } from '../object.js';
import type { Strategy } from '../resources/resource.js';
import { ensureObject } from './set-default.js';

/** The label namespaces are selected by carries their name. pkg/registry/core/namespace/strategy.go, Canonicalize. */
export function labelNamespace({ metadata }: ApiObject): void {
  metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

/** Namespaces are born Active and held by a finalizer in their spec. */
export const namespaceStrategy: Strategy = {
  prepareForCreate(next: ApiObject) {
    labelNamespace(next); // a generated name is not there yet when defaults are set
    next.status = { phase: 'Active' };
    const spec = ensureObject(next, 'spec');
    const finalizers = Array.isArray(spec.finalizers) ? (spec.finalizers as string[]) : [];
    if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes'];
  },
  prepareForUpdate(next: ApiObject, old: ApiObject, subresource: string) {
    if (subresource === 'finalize') next.status = old.status;
    else next.spec = old.spec;
  },
};
