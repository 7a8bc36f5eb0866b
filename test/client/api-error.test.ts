import { describe, expect, test } from '@jest/globals';
import {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  toApiError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../../src/client/api-error.js';

const REQUEST = { method: 'GET', path: '/apis/example.com/v1/widgets', resource: 'widgets.example.com' };

function status(code: number, reason: string, more: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: 'why', ...more };
}

describe('toApiError', () => {
  test.each([
    [401, 'Unauthorized', UnauthorizedError],
    [403, 'Forbidden', ForbiddenError],
    [404, 'NotFound', NotFoundError],
    [409, 'AlreadyExists', AlreadyExistsError],
    [409, 'Conflict', ConflictError],
    [410, 'Expired', GoneError],
    [410, 'Gone', GoneError],
    [422, 'Invalid', InvalidError],
    [429, 'TooManyRequests', TooManyRequestsError],
    [500, 'InternalError', ApiError],
  ])('%i %s has its own error class', (code, reason, expected) => {
    const error = toApiError(code, status(code, reason), REQUEST);
    expect(error.constructor).toBe(expected);
    expect(error).toMatchObject({ status: code, reason, request: REQUEST });
  });

  test('the message is the one of the server', () => {
    const message = 'pods is forbidden: User "bob" cannot list resource "pods" in the namespace "a"';
    expect(toApiError(403, status(403, 'Forbidden', { message }), REQUEST).message).toBe(message);
  });

  test('a missing object is distinguished from a kind that is not served', () => {
    const details = { name: 'a', kind: 'widgets', group: 'example.com' };
    const object = toApiError(404, status(404, 'NotFound', { details }), REQUEST) as NotFoundError;
    const kind = toApiError(404, status(404, 'NotFound', { details: {} }), REQUEST) as NotFoundError;
    expect([object.isResourceMissing, kind.isResourceMissing]).toEqual([false, true]);
  });

  test('a kind of which the server has never heard is named', () => {
    const error = toApiError(404, '404 page not found\n', REQUEST) as NotFoundError;
    expect(error.isResourceMissing).toBe(true);
    expect(error.message).toBe('the server could not find the requested resource (GET widgets.example.com)');
  });

  test('an HTML page is cut down to its words', () => {
    const page = `<html><body><h1>502 Bad Gateway</h1>${'<p>nginx</p>'.repeat(1000)}`;
    const { message } = toApiError(502, page, REQUEST);
    expect(message).toMatch(/^GET \/apis\/example.com\/v1\/widgets returned status 502: 502 Bad Gateway nginx/);
    expect(message.length).toBeLessThan(300);
  });

  test('the time to wait comes from the header, else from the details', () => {
    const body = status(429, 'TooManyRequests', { details: { retryAfterSeconds: 2 } });
    expect(toApiError(429, body, REQUEST).retryAfterMs).toBe(2000);
    expect(toApiError(429, body, REQUEST, 5000).retryAfterMs).toBe(5000);
  });

  test('plain HTTP to an HTTPS port has a hint', () => {
    const { hint } = toApiError(400, 'Client sent an HTTP request to an HTTPS server.\n', REQUEST);
    expect(hint).toBe('use https:// in the address');
  });
});
