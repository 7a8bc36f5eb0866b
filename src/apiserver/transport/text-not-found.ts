import type { Outcome } from './outcome.js';

/** The answer where no handler is: Go's, not the API's. */
export function textNotFound(): Outcome {
  return {
    k: 'text',
    code: 404,
    contentType: 'text/plain; charset=utf-8',
    body: '404 page not found\n',
    headers: { 'X-Content-Type-Options': 'nosniff' },
  };
}
