import type { ResponseHead } from '../../../src/client/http/response-head.js';
import { ResponseParser } from '../../../src/client/http/response-parser.js';

/** The calls of the handler of a ResponseParser. */
export interface ParsedResponse {
  readonly heads: readonly ResponseHead[];
  readonly body: string;
  /** How often `onEnd` was called. */
  readonly ended: number;
  /** The message of the error that `push` or `close` threw. */
  readonly error: string | undefined;
}

/** Feeds the chunks to a ResponseParser, then the end of the connection if `isClosed` is true. */
export function parseResponse(
  chunks: Iterable<string | Buffer>,
  { method = 'GET', isClosed = false }: { method?: string; isClosed?: boolean } = {},
): ParsedResponse {
  const heads: ResponseHead[] = [];
  const body: Buffer[] = [];
  let ended = 0;
  let error: string | undefined;
  const parser = new ResponseParser(
    {
      onHead: (head) => heads.push(head),
      onBody: (bytes) => body.push(Buffer.from(bytes)),
      onEnd: () => ended++,
    },
    method,
  );
  try {
    for (const chunk of chunks) parser.push(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
    if (isClosed) parser.close();
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { heads, body: Buffer.concat(body).toString('latin1'), ended, error };
}
