import { takeToken } from './token.js';

/** A response of the operator that is not a success. */
export class ConsoleApiError extends Error {
  override readonly name = 'ConsoleApiError';

  constructor(
    readonly status: number,
    message: string,
    /** The body of the response, parsed. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

/** Requests `/api/v1/PATH` and returns the parsed response; rejects with an ConsoleApiError, or a TypeError without a response. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal ? { signal } : {})).json() as Promise<T>;
}

/** Sends an object as JSON, or a text as YAML. */
export async function postJson<T>(path: string, body: object | string): Promise<T> {
  const isText = typeof body === 'string';
  const headers = { 'content-type': isText ? 'application/yaml' : 'application/json' };
  const response = await request(path, { method: 'POST', headers, body: isText ? body : JSON.stringify(body) });
  return (await response.json()) as T;
}

/** Requests a path of the API with the token of this tab; resolves only for a success. */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${takeToken() ?? ''}` };
  const response = await fetch(`/api/v1/${path}`, { ...options, headers });
  if (response.ok) return response;
  const text = await response.text();
  const body = parsed(text);
  throw new ConsoleApiError(
    response.status,
    messageOf(body) ?? (text || `the operator returned ${String(response.status)}`),
    body,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error } = body as { readonly message?: unknown; readonly error?: unknown };
  if (typeof message === 'string') return message;
  return typeof error === 'string' ? error : undefined;
}
