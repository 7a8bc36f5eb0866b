import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.js';

/**
 * Reads the body of a POST request with JSON.
 *
 * @throws RequestError for another method or content type, or a longer body; the error of a closed connection.
 */
export function readPostedJson(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  assertPostedJson(message);
  const chunks: Buffer[] = [];
  let size = 0;
  // Listeners take a third of the time of an asynchronous iterator for a body of one chunk.
  return new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLong(maxBytes));
      }
    });
    message.on('end', () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    message.on('error', reject);
  });
}

/**
 * Iterates over the body of a POST request with JSON. The sender waits while a chunk is processed.
 *
 * @throws RequestError for another method or content type, or a longer body; the error of a closed connection.
 */
export async function* postedChunks(message: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  assertPostedJson(message);
  let size = 0;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLong(maxBytes);
      yield chunk;
    }
  } finally {
    message.resume(); // the response of an error can be sent while the body still arrives
  }
}

function assertPostedJson({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new RequestError(405, 'only POST is supported');
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestError(415, 'the content type must be application/json');
}

function tooLong(maxBytes: number): RequestError {
  return new RequestError(413, `the body exceeds ${maxBytes} bytes`);
}
