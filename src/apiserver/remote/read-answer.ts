import type { IncomingMessage } from 'node:http';
import { JoinedChunks } from '../../base/joined-chunks.js';

/** A list of tens of thousands of objects is converted in one call. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Reads the body of a response; rejects when it is truncated or exceeds 256 MiB. */
export function readAnswer(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks = new JoinedChunks();
    response.on('data', (chunk: Buffer) => {
      if (chunks.bytes + chunk.length > MAX_ANSWER_BYTES) response.destroy(new Error('response body too large'));
      else chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () => {
      resolve(chunks.join().toString());
    });
  });
}
