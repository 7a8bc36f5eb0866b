import type { ApiClient } from '../../client/api-client.js';
import type { Client } from '../../client/client.js';
import type { ReconcileRequest } from './reconcile-request.js';

/**
 * The client of a controller, which its parts use through the client of a reconcile.
 *
 * Guarantees: each request of a reconcile is counted when it is sent, and aborted with the reconcile.
 */
export class ReconcileClient {
  constructor(
    /** For requests that must not be aborted with a reconcile. */
    readonly base: Client,
    /** The field manager of writes. */
    readonly fieldManager: string,
  ) {}

  for(request: ReconcileRequest): ApiClient {
    request.client ??= this.base.intercept(
      (outgoing, send) => {
        request.requestSent();
        return send(outgoing);
      },
      { signal: request.signal, fieldManager: this.fieldManager },
    );
    return request.client;
  }
}
