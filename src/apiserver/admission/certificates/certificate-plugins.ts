import { goQuoted } from '../../../base/go-quoted.js';
import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import { refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { stringAt, objectAt } from '../../objects/api-object.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { parseCertificateRequest } from '../../certificates/certificate-request.js';

const CERTIFICATE_REQUESTS = 'certificatesigningrequests.certificates.k8s.io';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

/** Rejects approvals by users without the `approve` permission for the signer. */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = 'CertificateApproval';

  constructor(private readonly authorizer: RbacAuthorizer) {}

  validate(request: AdmissionAttributes): void {
    const { resource, subresource } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== 'approval') return;
    if (mayUseSigner(this.authorizer, request, 'approve')) return;
    throw refused(request, `user not permitted to approve requests with signerName ${goQuoted(signerOf(request))}`);
  }
}

/** Rejects certificates and conditions in the status by users without the `sign` permission for the signer. */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = 'CertificateSigning';

  constructor(private readonly authorizer: RbacAuthorizer) {}

  validate(request: AdmissionAttributes): void {
    const { resource, subresource, object, old } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== 'status' || !old) return;
    const [next, former] = [objectAt(object, 'status'), objectAt(old, 'status')];
    const isSame = (['certificate', 'conditions'] as const).every((field) => deepEqual(next[field], former[field]));
    if (isSame || mayUseSigner(this.authorizer, request, 'sign')) return;
    throw refused(request, `user not permitted to sign requests with signerName ${goQuoted(signerOf(request))}`);
  }
}

/** Rejects requests for client certificates of the group system:masters. */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';

  validate(request: AdmissionAttributes): void {
    const { resource, subresource, operation, object } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== '' || operation === 'DELETE') return;
    if (stringAt(object.spec, 'signerName') !== CLIENT) return;
    const pem = Buffer.from(stringAt(object.spec, 'request'), 'base64').toString();
    if (parseCertificateRequest(pem).organizations.includes(MASTERS))
      throw refused(request, `use of ${CLIENT} signer with ${MASTERS} group is not allowed`);
  }
}

/** Returns the signer of the request, which is immutable. */
function signerOf({ old, object }: AdmissionAttributes): string {
  return stringAt((old ?? object).spec, 'signerName');
}

/** Checks the permission for the signer or for all signers of its domain: certauthorization.go. */
function mayUseSigner(authorizer: RbacAuthorizer, request: AdmissionAttributes, verb: 'approve' | 'sign'): boolean {
  const signer = signerOf(request);
  const [domain = ''] = signer.split('/');
  const access = { verb, group: 'certificates.k8s.io', resource: 'signers', namespace: '' };
  return [signer, `${domain}/*`].some((name) => authorizer.allows(request.user, { ...access, name }));
}
