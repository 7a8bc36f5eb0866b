import type { IncomingMessage } from 'node:http';

/** A list of tens of thousands of objects is converted in one call. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Reads the body of a response; rejects when it is truncated or exceeds 256 MiB. */
export function readAnswer(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) response.destroy(new Error('response body too large'));
      chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });
}
