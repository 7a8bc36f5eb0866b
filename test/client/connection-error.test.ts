import { describe, expect, test } from '@jest/globals';
import { ConnectionError, toConnectionError } from '../../src/client/connection-error.js';

function errnoError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

describe('toConnectionError', () => {
  test.each([
    ['ECONNREFUSED', 'refused', 'cannot reach h:1: connection refused'],
    ['ENOTFOUND', 'dns', 'cannot reach h:1: host name not found'],
    ['EHOSTUNREACH', 'unreachable', 'cannot reach h:1: no route to host'],
    ['ETIMEDOUT', 'timeout', 'cannot reach h:1: connection timed out'],
    ['ECONNRESET', 'reset', 'lost the connection to h:1: connection reset'],
    ['CERT_HAS_EXPIRED', 'tls', 'cannot reach h:1: certificate has expired'],
    ['ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', 'tls', 'cannot reach h:1: ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED'],
    ['EWHATEVER', 'reset', 'lost the connection to h:1: EWHATEVER'],
  ])('a connection error with code %s has reason %s and its message', (code, reason, message) => {
    const cause = errnoError(code);
    expect(toConnectionError(cause, 'h:1')).toMatchObject({
      reason,
      message,
      host: 'h:1',
      code: 'E_CONNECTION',
      cause,
    });
  });

  test('the connection error of a host with several addresses has the first error', () => {
    const error = new AggregateError([errnoError('ECONNREFUSED'), errnoError('ENETUNREACH')]);
    expect(toConnectionError(error, 'h:1').reason).toBe('refused');
  });

  test('the connection error for a certificate of another host lists its names', () => {
    const error = Object.assign(errnoError('ERR_TLS_CERT_ALTNAME_INVALID'), { cert: { subjectaltname: 'DNS:a' } });
    const message = 'cannot reach h:1: certificate is not valid for this host (valid for DNS:a)';
    expect(toConnectionError(error, 'h:1').message).toBe(message);
  });

  test('a ConnectionError is not wrapped again', () => {
    const error = new ConnectionError('m', { reason: 'closed', host: 'other' });
    expect(toConnectionError(error, 'h:1')).toBe(error);
  });
});
