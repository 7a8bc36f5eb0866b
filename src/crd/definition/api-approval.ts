import { goQuoted } from '../../base/go-quoted.js';
import { stringAt } from '../../base/json-object.js';

/** The annotation that records the approval of a definition in a protected Kubernetes group. */
export const APPROVED = 'api-approved.kubernetes.io';
const PROTECTED = /(^|\.)(k8s|kubernetes)\.io$/;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** The approval state of a definition, with the API server's message. */
export interface ApiApproval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly message: string;
}

interface Approvable {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
}

/** Returns whether the group of a definition requires approval. */
export function needsApproval({ spec }: Approvable): boolean {
  return PROTECTED.test(stringAt(spec, 'group'));
}

/** Evaluates the annotation, for any group. */
export function apiApproval({ metadata }: Approvable): ApiApproval {
  const value = metadata.annotations?.[APPROVED] ?? '';
  const demand = `protected groups must have approval annotation "${APPROVED}"`;
  if (value === '') return { state: 'missing', message: `${demand}, ${SEE}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${goQuoted(value)}` };
  if (/^[a-zA-Z][-+.a-zA-Z0-9]*:\/\/[^\s/]+/.test(value)) return { state: 'approved', message: `approved in ${value}` };
  return { state: 'invalid', message: `${demand} with either a URL or a reason starting with "unapproved", ${SEE}` };
}
