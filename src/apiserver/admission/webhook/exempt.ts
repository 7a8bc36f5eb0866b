import type { AdmissionAttributes } from '../../registry/admission.js';

const EXEMPT = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Returns whether a request changes the admission configuration. Webhooks and policies do not apply to it, so that
 * mistakes in it can be fixed.
 */
export function isAdmissionConfiguration({ resource: { group, kind } }: AdmissionAttributes): boolean {
  return group === 'admissionregistration.k8s.io' && EXEMPT.has(kind);
}
