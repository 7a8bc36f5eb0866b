import { OperatorError } from '../../base/operator-error.js';
import { parseTime } from '../../base/timestamp.js';
import type { ClientCertificate } from '../config/tls-config.js';
import { Secret } from '../secret.js';
import { bearer } from './bearer.js';

/** The credential that an exec plugin printed. */
export interface ExecCredential {
  readonly authorization: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly expiresAtMs: number;
}

interface Printed {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: PrintedStatus | null;
}

interface PrintedStatus {
  readonly token?: unknown;
  readonly clientCertificateData?: unknown;
  readonly clientKeyData?: unknown;
  readonly expirationTimestamp?: unknown;
}

/**
 * Parses an ExecCredential of client.authentication.k8s.io.
 *
 * @throws OperatorError if it is invalid. The message never quotes the output.
 */
export function parseExecCredential(output: string, command: string, apiVersion: string): ExecCredential {
  const printed = parse(output);
  if (printed?.kind !== 'ExecCredential') throw wrong(command, 'did not print an ExecCredential');
  if (printed.apiVersion !== apiVersion)
    throw wrong(command, `did not print an ExecCredential of apiVersion ${apiVersion}`);
  const status = printed.status ?? {};
  const token = stringOf(status.token);
  const clientCertificate = certificateOf(status, command);
  if (token === undefined && !clientCertificate) throw wrong(command, 'printed neither a token nor a certificate');
  return {
    authorization: token === undefined ? undefined : bearer(token, command),
    clientCertificate,
    expiresAtMs: expiryOf(status.expirationTimestamp, command),
  };
}

/** Returns whether the server would see the same token and certificate. */
export function isSameCredential(a: ExecCredential, b: ExecCredential): boolean {
  const certificate = ({ clientCertificate }: ExecCredential): string | undefined =>
    clientCertificate && 'data' in clientCertificate.certificate
      ? clientCertificate.certificate.data.reveal()
      : undefined;
  return a.authorization === b.authorization && certificate(a) === certificate(b);
}

function certificateOf(status: PrintedStatus, command: string): ClientCertificate | undefined {
  const certificate = stringOf(status.clientCertificateData);
  const key = stringOf(status.clientKeyData);
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw wrong(command, 'must print both clientCertificateData and clientKeyData');
  return { certificate: { data: new Secret(certificate) }, key: { data: new Secret(key) } };
}

function parse(output: string): Printed | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function expiryOf(value: unknown, command: string): number {
  const text = stringOf(value);
  if (text === undefined) return Infinity;
  const expiry = parseTime(text);
  if (expiry === undefined) throw wrong(command, 'printed an invalid expirationTimestamp');
  return expiry;
}

function wrong(command: string, what: string): OperatorError {
  return new OperatorError(`credential plugin ${command} ${what}`, { code: 'E_EXEC_PLUGIN' });
}
