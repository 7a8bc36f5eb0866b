import { eachObject } from '../../builtin/set-default.js';
import { stringAt, type ApiObject } from '../../object.js';
import type { Resource } from '../../resources/resource.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { namespaceOfRequest, type AdmissionRequest } from '../admission.js';
import { admissionRequest } from '../webhook/admission-review.js';
import { celObject, evaluate } from './expression.js';

/** What the expressions of a policy may speak of. */
export type PolicyVariables = Record<string, unknown>;

/** The request as a policy sees it, in the version its rules name, with one of its parameters. */
export function policyVariables(
  store: ObjectStore,
  request: AdmissionRequest,
  as: Resource,
  params: ApiObject | undefined,
): PolicyVariables {
  const asObject = request.operation === 'DELETE' ? undefined : inVersion(request.object, request.resource, as);
  const asOld = request.old && inVersion(request.old, request.resource, as);
  const namespace = request.resource.storage === 'namespaces' ? '' : namespaceOfRequest(request);
  return {
    object: celObject(asObject),
    oldObject: celObject(asOld),
    request: celObject(admissionRequest({ ...request, as, asObject, asOld })),
    params: celObject(params),
    namespaceObject: celObject(namespace === '' ? undefined : store.get('namespaces', namespace)?.object),
  };
}

/** Adds the policy's own `variables`, each evaluated once and not before it is asked for. */
export function withOwnVariables(policy: ApiObject, variables: PolicyVariables): PolicyVariables {
  const own: Record<string, unknown> = {};
  const all = { ...variables, variables: own };
  for (const variable of eachObject((policy.spec as Record<string, unknown> | undefined)?.variables)) {
    const name = stringAt(variable, 'name');
    let result: { readonly value: unknown } | undefined;
    Object.defineProperty(own, name, {
      enumerable: true,
      get: () => (result ??= { value: evaluate(stringAt(variable, 'expression'), all) }).value,
    });
  }
  return all;
}

/** An object that only a webhook could convert is shown as it is. */
function inVersion(object: ApiObject, from: Resource, to: Resource): ApiObject {
  return from === to || to.codec.prepare ? object : to.codec.fromStorage(from.codec.toStorage(object));
}
