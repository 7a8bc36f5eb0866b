import type { AdmissionAttributes } from '../../registry/admission.js';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = new Set([
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);
const CONFIGURATIONS = new Set([...POLICIES, 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']);

/**
 * Returns whether a request changes the admission configuration. Webhooks do not apply to it, so that mistakes in it can
 * be fixed.
 */
export function isAdmissionConfiguration({ resource: { group, kind } }: AdmissionAttributes): boolean {
  return group === GROUP && CONFIGURATIONS.has(kind);
}

/** Returns whether a request changes a policy or a binding. Policies do not apply to them, but to webhooks. */
export function isAdmissionPolicy({ resource: { group, kind } }: AdmissionAttributes): boolean {
  return group === GROUP && POLICIES.has(kind);
}
