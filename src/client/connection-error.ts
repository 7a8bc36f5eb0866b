import { OperatorError } from '../base/operator-error.js';
import { ownMember } from '../base/own-member.js';

/** The reason for a missing or incomplete response. */
export type ConnectionFailure =
  'refused' | 'unreachable' | 'dns' | 'tls' | 'proxy' | 'timeout' | 'reset' | 'protocol' | 'closed';

export interface ConnectionErrorOptions {
  readonly reason: ConnectionFailure;
  readonly host: string;
  readonly isPartial?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The API server could not be reached, or its response is incomplete. */
export class ConnectionError extends OperatorError {
  readonly reason: ConnectionFailure;
  /** Host and port of the server. */
  readonly host: string;
  /** True if the response had begun when the time was up. */
  readonly isPartial: boolean;

  constructor(message: string, { reason, host, isPartial = false, hint, cause }: ConnectionErrorOptions) {
    super(message, { code: 'E_CONNECTION', hint, cause });
    this.reason = reason;
    this.host = host;
    this.isPartial = isPartial;
  }
}

interface Known {
  readonly reason: ConnectionFailure;
  readonly what: string;
  readonly hint?: string;
}

const CHECK_SERVER = 'check that the cluster is running and that its address in the kubeconfig is correct';
const CHECK_CA = 'check the certificate authority in the kubeconfig: it did not sign the certificate of the server';

const KNOWN: Readonly<Record<string, Known>> = {
  ECONNREFUSED: { reason: 'refused', what: 'connection refused', hint: CHECK_SERVER },
  ENOTFOUND: { reason: 'dns', what: 'host name not found', hint: CHECK_SERVER },
  EAI_AGAIN: { reason: 'dns', what: 'temporary failure in name resolution' },
  EHOSTUNREACH: { reason: 'unreachable', what: 'no route to host', hint: CHECK_SERVER },
  ENETUNREACH: { reason: 'unreachable', what: 'network unreachable' },
  ETIMEDOUT: { reason: 'timeout', what: 'connection timed out', hint: CHECK_SERVER },
  E_HTTP: { reason: 'protocol', what: '', hint: 'check that this is the address of a Kubernetes API server' },
  ECONNRESET: { reason: 'reset', what: 'connection reset' },
  EPIPE: { reason: 'reset', what: 'connection reset' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    reason: 'tls',
    what: 'certificate signed by an unknown authority',
    hint: CHECK_CA,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    reason: 'tls',
    what: 'certificate signed by an unknown authority',
    hint: CHECK_CA,
  },
  SELF_SIGNED_CERT_IN_CHAIN: { reason: 'tls', what: 'certificate signed by an unknown authority', hint: CHECK_CA },
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'tls', what: 'certificate is self-signed', hint: CHECK_CA },
  CERT_SIGNATURE_FAILURE: { reason: 'tls', what: 'certificate signed by an unknown authority', hint: CHECK_CA },
  CERT_HAS_EXPIRED: { reason: 'tls', what: 'certificate has expired', hint: 'renew the certificate of the server' },
  CERT_NOT_YET_VALID: {
    reason: 'tls',
    what: 'certificate is not valid yet',
    hint: 'check for clock skew between this host and the server',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'tls',
    what: 'certificate is not valid for this host',
    hint: 'use an address from the certificate, or set tls-server-name in the kubeconfig',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    reason: 'tls',
    what: 'the server does not use TLS',
    hint: 'use http:// in the address, or enable TLS on the server',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    reason: 'tls',
    what: 'the server does not use TLS',
    hint: 'use http:// in the address, or enable TLS on the server',
  },
};

const PREFIX: Partial<Record<ConnectionFailure, string>> = {
  reset: 'lost the connection to',
  protocol: 'invalid response from',
};

/** Converts the error of a socket to one with the server and the cause in its message. */
export function toConnectionError(error: unknown, host: string): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const first = firstOf(error);
  const code = codeOf(first);
  const known = ownMember(KNOWN, code) ?? guess(code);
  const detail = known.reason === 'tls' ? certificateDetail(first) : '';
  const what = known.what === '' ? messageOf(first) : known.what;
  return new ConnectionError(`${PREFIX[known.reason] ?? 'cannot reach'} ${host}: ${what}${detail}`, {
    reason: known.reason,
    host,
    hint: known.hint,
    cause: error,
  });
}

function guess(code: string): Known {
  const isTls = code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || /CERT|CRL|ISSUER/.test(code);
  return { reason: isTls ? 'tls' : 'reset', what: '' };
}

/** A host with both an IPv4 and an IPv6 address fails with one error per address. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function certificateDetail(error: unknown): string {
  const names = (error as { cert?: { subjectaltname?: string } } | undefined)?.cert?.subjectaltname;
  return names === undefined ? '' : ` (valid for ${names})`;
}
