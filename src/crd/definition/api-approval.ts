import { goQuoted } from '../../base/go-quoted.js';
import { stringAt } from '../../base/json-object.js';

/** The annotation by which a definition in one of Kubernetes' own groups says who approved it. */
export const APPROVED = 'api-approved.kubernetes.io';
const PROTECTED = /(^|\.)(k8s|kubernetes)\.io$/;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** How a definition stands to the approval of its API, in the server's words. */
export interface ApiApproval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly message: string;
}

interface Approvable {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
}

/** Whether a definition is in a group that needs approval. */
export function needsApproval({ spec }: Approvable): boolean {
  return PROTECTED.test(stringAt(spec, 'group'));
}

/** What the annotation says, in whatever group. */
export function apiApproval({ metadata }: Approvable): ApiApproval {
  const value = metadata.annotations?.[APPROVED] ?? '';
  const demand = `protected groups must have approval annotation "${APPROVED}"`;
  if (value === '') return { state: 'missing', message: `${demand}, ${SEE}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${goQuoted(value)}` };
  if (/^[a-zA-Z][-+.a-zA-Z0-9]*:\/\/[^\s/]+/.test(value)) return { state: 'approved', message: `approved in ${value}` };
  return { state: 'invalid', message: `${demand} with either a URL or a reason starting with "unapproved", ${SEE}` };
}
