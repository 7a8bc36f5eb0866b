import { goQuoted } from '../../../base/go-quoted.js';
import { deepEqual } from '../../../base/deep-equal.js';
import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import { objectAt } from '../../objects/api-object.js';
import { refused, type AdmissionRequest } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { CERTIFICATE_REQUESTS, mayUseSigner, signerOf } from './may-use-signer.js';

/** Lets only those give a certificate, or say that none is given, who may do so for its signer. */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = 'CertificateSigning';

  constructor(private readonly authorizer: RbacAuthorizer) {}

  validate(request: AdmissionRequest): void {
    const { resource, subresource, object, old } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== 'status' || !old) return;
    const [next, former] = [objectAt(object, 'status'), objectAt(old, 'status')];
    const isSame = (['certificate', 'conditions'] as const).every((field) => deepEqual(next[field], former[field]));
    if (isSame || mayUseSigner(this.authorizer, request, 'sign')) return;
    throw refused(request, `user not permitted to sign requests with signerName ${goQuoted(signerOf(request))}`);
  }
}
