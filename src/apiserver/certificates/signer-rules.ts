import { countNames, type CertificateRequest } from './certificate-request.js';

const CLIENT = 'kubernetes.io/kube-apiserver-client';
export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** Rules of the built-in signers: each returns why a request is not signed, with the real signer's message. */
export const SIGNERS: Readonly<Partial<Record<string, Rule>>> = {
  [CLIENT]: (_request, usages) => {
    const strange = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
    if (strange !== undefined) return `invalid usage for client certificate: ${strange}`;
    return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
  },
  [KUBELET_CLIENT]: (request, usages) =>
    organizationProblem(request) ??
    (['dns', 'email', 'ip', 'uri'] as const)
      .filter((kind) => countNames(request, kind) > 0)
      .map((kind) => `${WORDS[kind]} subjectAltNames are not allowed`)[0] ??
    nameProblem(request) ??
    usageProblem(usages, 'client auth'),
  [KUBELET_SERVING]: (request, usages) =>
    organizationProblem(request) ??
    (countNames(request, 'dns') + countNames(request, 'ip') === 0
      ? 'DNS or IP subjectAltName is required'
      : undefined) ??
    (['email', 'uri'] as const)
      .filter((kind) => countNames(request, kind) > 0)
      .map((kind) => `${WORDS[kind]} subjectAltNames are not allowed`)[0] ??
    usageProblem(usages, 'server auth') ??
    nameProblem(request),
};

const WORDS = { dns: 'DNS', email: 'Email', ip: 'IP', uri: 'URI' } as const;

function organizationProblem({ organizations }: CertificateRequest): string | undefined {
  return organizations.join('\n') === 'system:nodes' ? undefined : 'subject organization is not system:nodes';
}

function nameProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Checks the usages; key encipherment is optional. */
function usageProblem(usages: readonly string[], purpose: 'client auth' | 'server auth'): string | undefined {
  const required = [purpose, 'digital signature', 'key encipherment'].sort();
  const given = [...new Set(usages)].sort().join();
  const isMatch = [required, required.filter((usage) => usage !== 'key encipherment')].some(
    (set) => set.join() === given,
  );
  return isMatch ? undefined : `usages did not match [${required.join(' ')}]`;
}
