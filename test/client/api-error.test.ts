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

  test('the message of an ApiError is that of the server', () => {
    const message = 'pods is forbidden: User "bob" cannot list resource "pods" in the namespace "a"';
    expect(toApiError(403, status(403, 'Forbidden', { message }), REQUEST).message).toBe(message);
  });

  test('a missing object is distinguished from a kind that is not served', () => {
    const details = { name: 'a', kind: 'widgets', group: 'example.com' };
    const object = toApiError(404, status(404, 'NotFound', { details }), REQUEST) as NotFoundError;
    const kind = toApiError(404, status(404, 'NotFound', { details: {} }), REQUEST) as NotFoundError;
    expect([object.isResourceMissing, kind.isResourceMissing]).toEqual([false, true]);
  });

  test('an ApiError names a kind that the server does not know', () => {
    const error = toApiError(404, '404 page not found\n', REQUEST) as NotFoundError;
    expect(error.isResourceMissing).toBe(true);
    expect(error.message).toBe('the server could not find the requested resource (GET widgets.example.com)');
  });

  test('an ApiError quotes only the text of an HTML page', () => {
    const page = `<html><body><h1>502 Bad Gateway</h1>${'<p>nginx</p>'.repeat(1000)}`;
    const { message } = toApiError(502, page, REQUEST);
    expect(message).toMatch(/^GET \/apis\/example.com\/v1\/widgets returned status 502: 502 Bad Gateway nginx/);
    expect(message.length).toBeLessThan(300);
  });

  test('the time until a retry is taken from the header, otherwise from the details of the Status', () => {
    const body = status(429, 'TooManyRequests', { details: { retryAfterSeconds: 2 } });
    expect(toApiError(429, body, REQUEST).retryAfterMs).toBe(2000);
    expect(toApiError(429, body, REQUEST, 5000).retryAfterMs).toBe(5000);
  });

  test('the ApiError for plain HTTP to an HTTPS port has a hint', () => {
    const { hint } = toApiError(400, 'Client sent an HTTP request to an HTTPS server.\n', REQUEST);
    expect(hint).toBe('use https:// in the address');
  });
});

test.each<[string, object]>([
  ['the code, reason and message', { code: 'x', reason: {}, message: 5 }],
  ['the details', { details: 'x', code: null, reason: null, message: null }],
  ['the causes', { details: { causes: {} } }],
  ['a cause', { details: { causes: [null] } }],
  ['the delay before a retry', { details: { retryAfterSeconds: 'x' } }],
])('a Status in which %s has another type becomes an error with the status of the response', (_, members) => {
  const error = toApiError(409, { kind: 'Status', apiVersion: 'v1', ...members }, { method: 'GET', path: '/x' });
  expect(error).toMatchObject({ status: 409, message: 'the server returned status 409', retryAfterMs: undefined });
});

test('an object that is not a Status is quoted in the message of the error', () => {
  const error = toApiError(500, { error: 'no backend' }, { method: 'GET', path: '/x' });
  expect(error.message).toBe('GET /x returned status 500: {"error":"no backend"}');
});
