import type { ApiClient } from '../../client/api-client.js';
import type { Client } from '../../client/client.js';
import type { ReconcileRequest } from './reconcile-request.js';

/**
 * The client of a controller, which its parts use through the client of a reconcile.
 *
 * Guarantees: each call of a reconcile is counted before it is made, also one that the client rejects without a request; each
 * request is aborted with the reconcile.
 */
export class ReconcileClient {
  constructor(
    /** For requests that must not be aborted with a reconcile. */
    readonly base: Client,
    /** The field manager of writes. */
    readonly fieldManager: string,
  ) {}

  /** Returns the client for one call. */
  for(request: ReconcileRequest): ApiClient {
    request.requestSent();
    request.client ??= this.base.intercept((outgoing, send) => send(outgoing), {
      signal: request.signal,
      fieldManager: this.fieldManager,
    });
    return request.client;
  }
}
