import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { parseResponse } from './parse-response.js';

const COUNTED = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nA: b\r\n\r\n';

describe('ResponseParser', () => {
  test.each([
    ['counted', COUNTED],
    ['chunked', CHUNKED],
    ['chunked in capitals with zeros', CHUNKED.replace('\r\n3\r\n', '\r\n0003\r\n')],
    ['after an interim response', `HTTP/1.1 100 Continue\r\n\r\n${COUNTED}`],
  ])('a response body (%s) is parsed the same wherever its bytes are cut', (_what, text) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(parseResponse(chunks)).toMatchObject({ body: 'hello', ended: 1, heads: [{ status: 200 }] });
      }),
    );
  });

  test('a response body without a length ends with the connection', () => {
    expect(parseResponse(['HTTP/1.0 200 OK\r\n\r\nhel', 'lo'], { isClosed: true })).toMatchObject({
      body: 'hello',
      ended: 1,
    });
  });

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 'GET'],
    ['304', 'HTTP/1.1 304 Not Modified\r\n\r\n', 'GET'],
    ['the answer to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HEAD'],
    ['length 0', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 'GET'],
  ])('a response has no body: %s', (_what, text, method) => {
    expect(parseResponse([text], { method })).toMatchObject({ body: '', ended: 1 });
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
  ])('a malformed response is refused: %s', (_what, text, message) => {
    expect(parseResponse([text]).error).toContain(message);
  });

  const OK = 'HTTP/1.1 200 OK\r\n';
  const CHUNKS = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

  test.each([
    ['two different lengths', `${OK}Content-Length: 2\r\nA: b\r\ncontent-length: 5\r\n\r\n`, 'content-length "2, 5"'],
    [
      'a second transfer encoding',
      `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n`,
      'unknown transfer encoding "chunked, gzip"',
    ],
    ['a space before a colon', `${OK}Content-Length : 2\r\n\r\nok`, 'invalid header "Content-Length "'],
    ['a tab before a colon', `${OK}A: b\r\nContent-Length\t: 2\r\n\r\nok`, 'invalid header "Content-Length\\t"'],
    ['a line break inside a chunk size', `${CHUNKS}2\rJUNK\nok\r\n0\r\n\r\n`, 'a chunk has an invalid size'],
    ['a chunk size before LF alone', `${CHUNKS}2\nok\r\n0\r\n\r\n`, 'a chunk has an invalid size'],
    ['text after a chunk size', `${CHUNKS}2 junk\r\nok\r\n0\r\n\r\n`, 'a chunk has an invalid size'],
    ['two CR after a chunk', `${CHUNKS}2\r\nok\r\r\n0\r\n\r\n`, 'a chunk is longer than its size'],
    ['LF alone after a chunk', `${CHUNKS}2\r\nok\n0\r\n\r\n`, 'a chunk is longer than its size'],
    ['two CR at the end of the trailers', `${CHUNKS}0\r\n\r\r\n`, 'a trailer of the response is invalid'],
    ['LF alone at the end of the trailers', `${CHUNKS}0\r\n\n`, 'a trailer of the response is invalid'],
    ['an 11th interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11), 'more than 10 interim responses'],
    [
      'a chunk extension above 1 KiB',
      `${CHUNKS}2;${'x'.repeat(1025)}\r\n`,
      'a chunk has an extension that is too long',
    ],
    ['padding of a chunk size above 1 KiB', `${CHUNKS}2${' '.repeat(1025)}\r\n`, 'extension that is too long'],
    ['a chunk size of more than 16 digits', `${CHUNKS}${'0'.repeat(16)}2\r\n`, 'a chunk has an invalid size'],
    [
      'trailers above 64 KiB',
      `${CHUNKS}0\r\n${'A: b\r\n'.repeat(11_000)}`,
      'the trailers of the response are too long',
    ],
    ['a chain of empty lines before the head', '\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'not an HTTP response'],
  ])('a response with %s is refused, wherever its bytes are cut', (_what, text, message) => {
    expect(parseResponse([text]).error).toContain(message);
    expect(parseResponse(text).error).toContain(message);
  });

  test.each([
    ['10 interim responses', `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10)}${COUNTED}`],
    ['a chunk extension of 1 KiB', `${CHUNKS}5;${'x'.repeat(1023)}\r\nhello\r\n0\r\n\r\n`],
    ['a chunk extension of 1 KB in each chunk', extendedChunks()],
    ['a chunk size of 16 digits', `${CHUNKS}${'5'.padStart(16, '0')}\r\nhello\r\n0\r\n\r\n`],
    ['trailers of 60 KiB', `${CHUNKS}5\r\nhello\r\n0\r\n${'A: b\r\n'.repeat(10_000)}\r\n`],
    ['a head of 64 KiB', `${OK}A: ${'x'.repeat(64 * 1024 - 39)}\r\nContent-Length: 5\r\n\r\nhello`],
    ['the same length twice', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
  ])('a response with %s is accepted, wherever its bytes are cut', (_what, text) => {
    expect(parseResponse([text])).toMatchObject({ body: 'hello', ended: 1, error: undefined });
    expect(parseResponse(text)).toMatchObject({ body: 'hello', ended: 1, error: undefined });
  });

  test('a response head of 64 KiB and one byte is refused, wherever its bytes are cut', () => {
    const text = `${OK}A: ${'x'.repeat(64 * 1024 - 19)}\r\n\r\n`;
    for (const chunks of [[text], text]) expect(parseResponse(chunks).error).toBe('the response head is too long');
  });

  test.each([[COUNTED], [CHUNKED]])('a line break after the complete response %j is ignored', (text) => {
    for (const chunks of [[`${text}\r\n`], [text, '\r\n'], `${text}\r\n`])
      expect(parseResponse(chunks)).toMatchObject({ body: 'hello', ended: 1, error: undefined });
  });

  test('a response head in single bytes is copied and searched a few times, not once for each byte', () => {
    const text = `${OK}A: ${'x'.repeat(30_000)}\r\nContent-Length: 0\r\n\r\n`;
    const handled = countHandledBytes(() => parseResponse(text));
    expect(handled.result).toMatchObject({ ended: 1, error: undefined });
    expect(handled.bytes).toBeLessThan(12 * text.length);
  });

  test.each([
    ['the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['the body', COUNTED.slice(0, -1)],
    ['a chunk', CHUNKED.slice(0, 55)],
    ['the last chunk', CHUNKED.slice(0, -2)],
  ])('a connection that is closed in the middle of %s makes the response incomplete', (_what, text) => {
    expect(parseResponse([text], { isClosed: true }).error).toContain('closed in the middle');
  });

  test('response headers are found in any case, and only at the start of a line', () => {
    const { heads } = parseResponse(['HTTP/1.1 204 X\r\nX-Retry-After: 9\r\nRETRY-AFTER:  7 \r\n\r\n']);
    expect(heads[0]?.header('retry-after')).toBe('7');
    expect(heads[0]?.header('after')).toBeUndefined();
  });

  test.each([
    ['HTTP/1.1 204 X\r\n\r\n', true],
    ['HTTP/1.1 204 X\r\nConnection: Close\r\n\r\n', false],
    ['HTTP/1.0 204 X\r\n\r\n', false],
    ['HTTP/1.1 204 X\r\nConnection: keep-alive, close\r\n\r\n', false],
    ['HTTP/1.1 204 X\r\nConnection: \tCLOSE ,x\r\n\r\n', false],
    ['HTTP/1.1 204 X\r\nConnection: x\r\nConnection: close\r\n\r\n', false],
    ['HTTP/1.1 204 X\r\nConnection: keep-alive, not-close\r\n\r\n', true],
    ['HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n', true],
    ['HTTP/1.1 200 X\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n', false],
  ])('the response %j keeps the connection open: %s', (text, keeps) => {
    expect(parseResponse([text]).heads[0]?.keepsAlive).toBe(keeps);
  });
});

function extendedChunks(): string {
  const extension = `;${'x'.repeat(1000)}`;
  const chunks = Array.from('hello', (letter) => `1${extension}\r\n${letter}\r\n`).join('');
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0${extension}\r\n\r\n`;
}

/** Counts the bytes that `run` copies and searches with the methods of Buffer. */
function countHandledBytes<T>(run: () => T): { result: T; bytes: number } {
  const prototype = Buffer.prototype as Buffer;
  const concat = jest.spyOn(Buffer, 'concat');
  const copy = jest.spyOn(prototype, 'copy');
  const indexOf = jest.spyOn(prototype, 'indexOf');
  try {
    const result = run();
    let bytes = 0;
    for (const { value } of concat.mock.results) bytes += (value as Buffer).length;
    for (const { value } of copy.mock.results) bytes += value as number;
    for (const [index, searched] of indexOf.mock.contexts.entries())
      bytes += (searched as Buffer).length - Number(indexOf.mock.calls[index]?.[1] ?? 0);
    return { result, bytes };
  } finally {
    for (const spy of [concat, copy, indexOf]) spy.mockRestore();
  }
}
