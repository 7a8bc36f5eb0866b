import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiObject } from '../objects/api-object.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { goDialError } from '../remote/call-error.js';
import type { Outcome } from '../transport/response/outcome.js';
import type { RemoteAddress, RemoteClient } from './remote-client.js';

/** Hop-by-hop headers: RFC 9110, 7.6.1. */
const OF_CONNECTION = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;
/** Headers that are not forwarded: credentials, and those that only this server may set. */
const OF_USER = /^(authorization|impersonate-.*|x-remote-.*)$/;

/** Forwards a request to the server of an APIService, like the handler of kube-aggregator. */
export function proxyRequest(client: RemoteClient, apiService: ApiObject, request: ApiRequest): Outcome {
  let address: RemoteAddress;
  try {
    address = client.addressOf(apiService);
  } catch {
    return unavailable();
  }
  return {
    type: 'stream',
    start(response) {
      forward(client, apiService, address, request, response);
    },
  };
}

/** The response for an APIService without an available server. */
export function unavailable(): Outcome {
  return plainError('service unavailable', 503);
}

function forward(
  client: RemoteClient,
  apiService: ApiObject,
  address: RemoteAddress,
  { method, message, user }: ApiRequest,
  response: ServerResponse,
): void {
  const { remoteAddress } = message.socket;
  const headers = { ...passedOn(message.headers), 'x-forwarded-for': remoteAddress };
  const call = client.open(apiService, address, { method, path: message.url ?? '/', headers }, user);
  call.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, without(answer.headers, OF_CONNECTION));
    response.flushHeaders();
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  call.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else writePlainError(response, goDialError(error, address), 503);
  });
  response.on('close', () => call.destroy());
  message.pipe(call);
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return without(without(headers, OF_CONNECTION), OF_USER);
}

function without(headers: OutgoingHttpHeaders, pattern: RegExp): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));
}

/** An error in the format of Go's http.Error. */
function plainError(text: string, code: number): Outcome {
  return {
    type: 'stream',
    start(response) {
      writePlainError(response, text, code);
    },
  };
}

function writePlainError(response: ServerResponse, text: string, code: number): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
