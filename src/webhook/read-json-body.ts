import type { IncomingMessage } from 'node:http';
import { parseJson } from '../base/json.js';
import { RequestError } from './request-error.js';

/**
 * Reads the JSON body of a POST request. Integers stay exact: those that a double cannot represent are bigints.
 *
 * @throws RequestError for another method or content type, a longer body, or invalid JSON.
 */
export async function readJsonBody(message: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (message.method !== 'POST') throw new RequestError(405, 'only POST is supported');
  const type = message.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestError(415, 'the content type must be application/json');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new RequestError(413, `the body exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return parseJson(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new RequestError(400, 'the body is not valid JSON');
  }
}
