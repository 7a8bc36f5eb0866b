import { goQuoted } from '../../../base/go-quoted.js';
import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import { refused, type AdmissionRequest } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { CERTIFICATE_REQUESTS, mayUseSigner, signerOf } from './may-use-signer.js';

/** Lets only those approve a certificate who may do so for its signer. */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = 'CertificateApproval';

  constructor(private readonly authorizer: RbacAuthorizer) {}

  validate(request: AdmissionRequest): void {
    const { resource, subresource } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== 'approval') return;
    if (mayUseSigner(this.authorizer, request, 'approve')) return;
    throw refused(request, `user not permitted to approve requests with signerName ${goQuoted(signerOf(request))}`);
  }
}
