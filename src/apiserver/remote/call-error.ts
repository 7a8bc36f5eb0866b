import { ownMember } from '../../base/own-member.js';
import { goQuoted } from '../../base/go-quoted.js';

/** The address of a call. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** The error of a call without a response, with the message of Go's HTTP client. */
export function goCallError(
  method: 'Get' | 'Post',
  error: Error & { code?: string },
  url: string,
  address: Address,
  isTimeout: boolean,
): Error {
  return new Error(`${method} "${url}": ${isTimeout ? 'context deadline exceeded' : goDialError(error, address)}`);
}

/** Returns why a call got no response, with the message of Go's transport. */
export function goDialError(error: Error & { code?: string }, { host, port }: Address): string {
  return ownMember(REASONS, error.code ?? '')?.(host, port) ?? error.message;
}

const UNKNOWN_AUTHORITY = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
const REASONS: Readonly<Partial<Record<string, (host: string, port: number) => string>>> = {
  ECONNREFUSED: (host, port) =>
    `dial tcp ${host === 'localhost' ? '127.0.0.1' : host}:${port}: connect: connection refused`,
  ENOTFOUND: (host) => `dial tcp: lookup ${host}: no such host`,
  EAI_AGAIN: (host) => `dial tcp: lookup ${host}: no such host`,
  ECONNRESET: () => 'EOF',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: () => UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: () => UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `tls: failed to verify certificate: x509: certificate is not valid for ${host}`,
};

const KNOWN: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The error of a response other than 2xx: NewGenericServerResponse of apimachinery. */
export function serverResponseError(code: number, body: string): Error {
  const message = body.trim() === '' ? 'unknown' : body.trim();
  if (code === 403 || code === 415) return new Error(message);
  const known = KNOWN[code];
  if (known !== undefined) return new Error(known);
  return new Error(
    code >= 500
      ? `an error on the server (${goQuoted(message)}) has prevented the request from succeeding`
      : `the server responded with the status code ${code} but did not return more information`,
  );
}
