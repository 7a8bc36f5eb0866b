import { OperatorError } from '../base/operator-error.js';

/** Why there is no answer. */
export type ConnectionFailure =
  'refused' | 'unreachable' | 'dns' | 'tls' | 'proxy' | 'timeout' | 'reset' | 'protocol' | 'closed';

export interface ConnectionErrorOptions {
  readonly reason: ConnectionFailure;
  readonly host: string;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The API server could not be reached, or did not answer to the end. */
export class ConnectionError extends OperatorError {
  readonly reason: ConnectionFailure;
  /** Host and port of the server. */
  readonly host: string;

  constructor(message: string, { reason, host, hint, cause }: ConnectionErrorOptions) {
    super(message, { code: 'E_CONNECTION', hint, cause });
    this.reason = reason;
    this.host = host;
  }
}

interface Known {
  readonly reason: ConnectionFailure;
  readonly what: string;
  readonly hint?: string;
}

const CHECK_SERVER = 'is the cluster running, and is its address in the kubeconfig right?';
const CHECK_CA = 'the certificate authority in the kubeconfig is not the one that signed the certificate of the server';

const KNOWN: Readonly<Record<string, Known>> = {
  ECONNREFUSED: { reason: 'refused', what: 'connection refused', hint: CHECK_SERVER },
  ENOTFOUND: { reason: 'dns', what: 'host name not found', hint: CHECK_SERVER },
  EAI_AGAIN: { reason: 'dns', what: 'host name cannot be looked up now' },
  EHOSTUNREACH: { reason: 'unreachable', what: 'no route to host', hint: CHECK_SERVER },
  ENETUNREACH: { reason: 'unreachable', what: 'network unreachable' },
  ETIMEDOUT: { reason: 'timeout', what: 'connection timed out', hint: CHECK_SERVER },
  E_HTTP: { reason: 'protocol', what: '', hint: 'is this the address of a Kubernetes API server?' },
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
  CERT_NOT_YET_VALID: { reason: 'tls', what: 'certificate is not valid yet', hint: 'compare the clocks' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'tls',
    what: 'certificate is for another name',
    hint: 'use an address the certificate names, or set tls-server-name in the kubeconfig',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    reason: 'tls',
    what: 'the server does not speak TLS',
    hint: 'use http:// if it really is without TLS',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    reason: 'tls',
    what: 'the server does not speak TLS',
    hint: 'use http:// if it really is without TLS',
  },
};

const PREFIX: Partial<Record<ConnectionFailure, string>> = {
  reset: 'lost the connection to',
  protocol: 'cannot understand',
};

/** The error of a socket as one that names the server and the cause. */
export function toConnectionError(error: unknown, host: string): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const first = firstOf(error);
  const code = codeOf(first);
  const known = KNOWN[code] ?? guess(code);
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

/** Names with both an IPv4 and an IPv6 address fail with one error for each. */
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

/** What the certificate is for instead. */
function certificateDetail(error: unknown): string {
  const names = (error as { cert?: { subjectaltname?: string } } | undefined)?.cert?.subjectaltname;
  return names === undefined ? '' : ` (it names ${names})`;
}
