import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import { stringAt } from '../../objects/api-object.js';
import type { AdmissionRequest } from '../../registry/admission.js';

export const CERTIFICATE_REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

/** The signer that was asked; a request cannot be put to another. */
export function signerOf({ old, object }: AdmissionRequest): string {
  return stringAt((old ?? object).spec, 'signerName');
}

/** Whether a user may do something in a signer's name, or in that of all signers of its domain: certauthorization.go. */
export function mayUseSigner(authorizer: RbacAuthorizer, request: AdmissionRequest, verb: 'approve' | 'sign'): boolean {
  const signer = signerOf(request);
  const [domain = ''] = signer.split('/');
  const access = { verb, group: 'certificates.k8s.io', resource: 'signers', namespace: '' };
  return [signer, `${domain}/*`].some((name) => authorizer.allows(request.user, { ...access, name }));
}
