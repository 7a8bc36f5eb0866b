import { dnsLabelErrors, dnsSubdomainErrors } from '../../../api/objects/names.js';
import { CelAuthorizer, CelCheck, type CelDecision } from '../values/authorizer.js';
import { CelError } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';

const notEmpty = (what: string, text: string): string => {
  if (text.trim() === '') throw new CelError(`${what} must not be empty`);
  return text;
};

const ask = (check: CelCheck, verb: string): CelDecision => check.ask(verb);
const nothing: CelFunction = (check: CelCheck) => check;

/**
 * Kubernetes' authorizer library, cel/library/authz.go, and the additional functions for patches of admission
 * policies.
 */
export const AUTHORIZER_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  authorizer_path: ({ access }: CelAuthorizer, path: string) =>
    new CelCheck('PathCheck', access, { path: notEmpty('path', path) }),
  authorizer_group: ({ access }: CelAuthorizer, group: string) => new CelCheck('GroupCheck', access, { group }),
  authorizer_serviceaccount: ({ access }: CelAuthorizer, namespace: string, name: string) => {
    if (dnsSubdomainErrors(name).length > 0) throw new CelError('Invalid service account name');
    if (dnsLabelErrors(namespace).length > 0) throw new CelError('Invalid service account namespace');
    return new CelAuthorizer(access.of(namespace, name));
  },
  groupcheck_resource: (check: CelCheck, resource: string) => check.with({ resource: notEmpty('resource', resource) }),
  resourcecheck_subresource: (check: CelCheck, subresource: string) => check.with({ subresource }),
  resourcecheck_namespace: (check: CelCheck, namespace: string) => check.with({ namespace }),
  resourcecheck_name: (check: CelCheck, name: string) => check.with({ name }),
  // RBAC ignores selectors.
  authorizer_fieldselector: nothing,
  authorizer_labelselector: nothing,
  pathcheck_check: ask,
  resourcecheck_check: ask,
  decision_allowed: ({ isAllowed }: CelDecision) => isAllowed,
  decision_reason: () => '',
  decision_errored: () => false,
  decision_error: () => '',
  jsonpatch_escapekey: (_library: unknown, key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
};
