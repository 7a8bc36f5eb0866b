import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 405 | 415 | 421 | 429;
  readonly error: string;
  readonly hint?: string;
}

/** The answer of a route; `stream` takes over the response and resolves when it has ended. */
export type ApiAnswer =
  { readonly status: number; readonly json: object } | { readonly stream: (response: ServerResponse) => Promise<void> };

export interface ConsoleRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1/`, split and decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Empty for GET. */
  readonly body: string;
}

export type Answerer = (request: ConsoleRequest) => ApiAnswer | Promise<ApiAnswer>;

/** Decides which requests a server answers. */
export interface ServerAccess {
  /** Checks what a request for any path must have; `port` is that of the server. */
  refuseForeign(request: IncomingMessage, port: number): Refusal | undefined;
  /** Returns the function that answers the requests of the user for the API, or the reason why the request is refused. */
  admit(request: IncomingMessage): Promise<{ readonly answer: Answerer } | { readonly refusal: Refusal }>;
}
