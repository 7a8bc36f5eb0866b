import { parseCertificateRequest } from '../../certificates/certificate-request.js';
import { stringAt } from '../../objects/api-object.js';
import { refused, type AdmissionRequest } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { CERTIFICATE_REQUESTS } from './may-use-signer.js';

const CLIENT = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

/** Refuses to ask for a client's certificate that would make its holder a member of system:masters. */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = 'CertificateSubjectRestriction';

  validate(request: AdmissionRequest): void {
    const { resource, subresource, operation, object } = request;
    if (resource.storage !== CERTIFICATE_REQUESTS || subresource !== '' || operation === 'DELETE') return;
    if (stringAt(object.spec, 'signerName') !== CLIENT) return;
    const pem = Buffer.from(stringAt(object.spec, 'request'), 'base64').toString();
    if (parseCertificateRequest(pem).organizations.includes(MASTERS))
      throw refused(request, `use of ${CLIENT} signer with ${MASTERS} group is not allowed`);
  }
}
