import { optionMs } from '../base/option-ms.js';
import { callTimeout } from './call-timeout.js';
import type { Clock } from '../base/clock.js';
import { dehydrate } from '../base/dehydrate.js';
import { parseJson, stringifyJson } from '../base/json.js';
import { silentLogger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { accessOf, type AccessListener } from './access/access.js';
import { toApiError, type ApiError, type ApiRequest } from './api-error.js';
import { assertResponse } from './assert-response.js';
import type { CallOptions, RequestTarget } from './client-options.js';
import { isReadMethod } from './is-read-method.js';
import { isJson, type CollectedResponse } from './http/body-collector.js';
import type { Transport, TransportRequest } from './http/transport.js';
import { formatQuery, type QueryValue } from './query.js';
import { parseRetryAfter, withRetries } from './retry.js';
import { ServerWarnings } from './server-warnings.js';

export interface JsonRequest extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The impersonated user of the request, in place of the user of the client. */
  readonly impersonate?: string | undefined;
  /** For messages. */
  readonly resource?: string | undefined;
  readonly retries?: number | undefined;
  readonly target?: RequestTarget | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 4;
/** The member of a list with its objects. */
const LIST = 'items';

/** Sends JSON requests, parses JSON responses, throws errors as ApiError, and retries transient failures. */
export class Requester {
  constructor(
    private readonly transport: Transport,
    private readonly clock: Clock,
    private readonly onAccess?: AccessListener,
    private readonly warnings = new ServerWarnings(silentLogger),
  ) {}

  /**
   * Returns the JSON of a successful response, or its text if it is not JSON. For a request with a target, it is the object
   * or the list that the request is for.
   *
   * @throws OperatorError (E_RESPONSE) if it is anything else, such as a page of a proxy with status 200.
   */
  async request(request: JsonRequest): Promise<unknown> {
    const { method, signal, body, retries = DEFAULT_RETRIES } = request;
    const sent = this.sent(request, typeof body === 'string' ? body : bodyOf(request, body));
    const attempt = (): Promise<unknown> => this.transport.send(sent).then((response) => this.read(response, request));
    const response = await withRetries(attempt, { clock: this.clock, signal, isRead: isReadMethod(method), retries });
    assertResponse(request, response);
    return response;
  }

  /** Reports the access of a request and returns the request for the transport, with a body as it is sent. */
  sent(request: JsonRequest, body?: string): TransportRequest {
    if (this.onAccess) for (const access of accessOf(request)) this.onAccess(access);
    const { method, query, contentType, accept, headers, impersonate, signal, beforeSend } = request;
    const timeoutMs = optionMs('timeout', callTimeout(request), DEFAULT_TIMEOUT_MS);
    const path = query ? request.path + formatQuery(query) : request.path;
    const list = isList(request) ? { name: LIST, parse: (text: string) => parsed(text, request) } : undefined;
    return { method, path, body, contentType, accept, list, headers, impersonate, signal, timeoutMs, beforeSend };
  }

  /** Returns the error of a response with a status other than 2xx. */
  errorOf({ head, body }: CollectedResponse, { method, path, resource }: ApiRequest): ApiError {
    const retryAfterMs = parseRetryAfter(head.header('retry-after'), this.clock.now());
    return toApiError(head.status, jsonOrText(body), { method, path, resource }, retryAfterMs);
  }

  private read(response: CollectedResponse, request: JsonRequest): unknown {
    const { head, body, elements } = response;
    this.warnings.log(head, request);
    if (head.status < 200 || head.status > 299) throw this.errorOf(response, request);
    if (!isJson(head)) return body;
    const result = parsed(body, request);
    return elements && elements.length > 0 ? { ...(result as object), [LIST]: elements } : result;
  }
}

/** Reports whether the response is a list of objects. */
function isList({ method, target }: JsonRequest): boolean {
  return method === 'GET' && target !== undefined && target.name === undefined;
}

/** @throws OperatorError (E_RESPONSE) for text that is not JSON, without the text: it can be that of a Secret. */
function parsed(text: string, { method, path }: JsonRequest): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new OperatorError(`${method} ${path}: the response is not valid JSON`, {
      code: 'E_RESPONSE',
      cause: error instanceof SyntaxError ? undefined : error,
    });
  }
}

function jsonOrText(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

/** Characters that JSON allows in a string, but that YAML folds, drops or rejects. */
const YAML_SPECIAL = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Returns a body as text. The API server parses that of server-side apply as YAML, also if it is JSON.
 *
 * @throws OperatorError (E_NO_JSON) for a value that JSON would drop or change, such as NaN.
 */
function bodyOf({ contentType, target }: JsonRequest, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const text = stringifyJson(dehydrate(body, target?.kind.kind ?? 'body'));
  if (contentType?.endsWith('+yaml') !== true) return text;
  return text.replace(YAML_SPECIAL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
