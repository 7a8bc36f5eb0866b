import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ResponseHead } from '../../../src/client/http/response-head.js';
import { ResponseParser } from '../../../src/client/http/response-parser.js';

interface Outcome {
  heads: ResponseHead[];
  body: string;
  ended: number;
}

function parse(chunks: readonly (string | Buffer)[], method = 'GET', isClosed = false): Outcome {
  const body: Buffer[] = [];
  const outcome: Outcome = { heads: [], body: '', ended: 0 };
  const parser = new ResponseParser(
    {
      onHead: (head) => outcome.heads.push(head),
      onBody: (bytes) => body.push(Buffer.from(bytes)),
      onEnd: () => outcome.ended++,
    },
    method,
  );
  for (const chunk of chunks) parser.push(Buffer.from(chunk));
  if (isClosed) parser.close();
  return { ...outcome, body: Buffer.concat(body).toString() };
}

const COUNTED = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n';

describe('ResponseParser', () => {
  test.each([
    ['counted', COUNTED],
    ['chunked', CHUNKED],
    ['chunked in capitals with zeros', CHUNKED.replace('\r\n3\r\n', '\r\n0003\r\n')],
    ['after an interim response', `HTTP/1.1 100 Continue\r\n\r\n${COUNTED}`],
  ])('a body %s is the same, wherever its bytes are cut', (_what, text) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(parse(chunks)).toMatchObject({ body: 'hello', ended: 1, heads: [{ status: 200 }] });
      }),
    );
  });

  test('a body without a length ends with the connection', () => {
    expect(parse(['HTTP/1.0 200 OK\r\n\r\nhel', 'lo'], 'GET', true)).toMatchObject({ body: 'hello', ended: 1 });
  });

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 'GET'],
    ['304', 'HTTP/1.1 304 Not Modified\r\n\r\n', 'GET'],
    ['the answer to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HEAD'],
    ['length 0', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 'GET'],
  ])('%s has no body', (_what, text, method) => {
    expect(parse([text], method)).toMatchObject({ body: '', ended: 1 });
  });

  test.each([
    ['text', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'not an HTTP response'],
    ['an invalid length', 'HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n', 'invalid content-length "5x"'],
    ['an unknown encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', 'unknown transfer encoding "gzip"'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n', 'a chunk has no size'],
    [
      'an invalid chunk size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3!\r\n',
      'a chunk has an invalid size',
    ],
    [
      'a chunk beyond its size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc',
      'longer than its size',
    ],
    ['an endless size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}`, 'too long'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'unexpected status 101'],
    ['more than the response', `${COUNTED}x`, 'data after the end of the response'],
    ['an endless head', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(70_000)}`, 'head is too long'],
  ])('%s is refused', (_what, text, message) => {
    expect(() => parse([text])).toThrow(message);
  });

  test.each([
    ['the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['the body', COUNTED.slice(0, -1)],
    ['a chunk', CHUNKED.slice(0, 55)],
    ['the last chunk', CHUNKED.slice(0, -2)],
  ])('a connection that is closed in the middle of %s cuts the response off', (_what, text) => {
    expect(() => parse([text], 'GET', true)).toThrow('closed in the middle');
  });

  test('headers are found in any case, and only at the start of a line', () => {
    const { heads } = parse(['HTTP/1.1 204 X\r\nX-Retry-After: 9\r\nRETRY-AFTER:  7 \r\n\r\n']);
    expect(heads[0]?.header('retry-after')).toBe('7');
    expect(heads[0]?.header('after')).toBeUndefined();
  });

  test.each([
    ['HTTP/1.1 204 X\r\n\r\n', true],
    ['HTTP/1.1 204 X\r\nConnection: Close\r\n\r\n', false],
    ['HTTP/1.0 204 X\r\n\r\n', false],
  ])('%j keeps the connection: %s', (text, keeps) => {
    expect(parse([text]).heads[0]?.keepsAlive).toBe(keeps);
  });
});
