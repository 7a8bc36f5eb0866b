import type { AdmissionAttributes } from '../../registry/admission.js';

const EXEMPT = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** Whether a request is about what configures admission: nobody can lock themselves out of mending that. */
export function isAdmissionConfiguration({ resource: { group, kind } }: AdmissionAttributes): boolean {
  return group === 'admissionregistration.k8s.io' && EXEMPT.has(kind);
}
