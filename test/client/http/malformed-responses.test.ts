/* eslint-disable max-lines -- one table of cases */
import { describe, expect, test } from '@jest/globals';
import { parseResponse, type ParsedResponse } from './parse-response.js';

interface Case {
  readonly name: string;
  readonly bytes: string;
  readonly method?: string;
  /** Part of the error message, or what is parsed when the connection closes after the bytes. */
  readonly expected: string | { status: number; body: string; keepsAlive?: boolean };
  /** Why llhttp 9.4, the parser of Node.js, has another result, or its error at another time, in its strict mode. */
  readonly differsFromLlhttp?: string;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const CUT_OFF = 'closed in the middle';
const EMPTY = { status: 200, body: '' };

const NO_END = 'llhttp reports the first LF without CR; here the missing end of the head is the error';
const DISCARDED = 'extensions are discarded, so that only their length and line breaks are checked';
const ONE_RESPONSE = 'a connection has one request at a time, so that further data is an error, not the next response';
const STRICT_ENCODING = 'llhttp reads an unknown encoding until the connection closes; here it is an error';

/** The kinds of responses in llhttp's test/response/*.md, and those of its settings that accept more (`lenient`). */
const STATUS_LINES: readonly Case[] = [
  { name: 'incomplete protocol', bytes: 'HTP/1.1 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'longer protocol', bytes: 'HTTPER/1.1 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  {
    name: 'protocol RTSP',
    bytes: 'RTSP/1.1 200 OK\r\n\r\n',
    expected: 'not an HTTP response',
    differsFromLlhttp: 'llhttp also parses RTSP and ICE',
  },
  {
    name: 'protocol ICE',
    bytes: 'ICE/1.1 200 OK\r\n\r\n',
    expected: 'not an HTTP response',
    differsFromLlhttp: 'llhttp also parses RTSP and ICE',
  },
  { name: 'two digits before the dot', bytes: 'HTTP/01.1 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'version 11.1', bytes: 'HTTP/11.1 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'two digits after the dot', bytes: 'HTTP/1.01 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'version 5.6', bytes: 'HTTP/5.6 200 OK\r\n\r\n', expected: 'not an HTTP response' },
  {
    name: 'version 0.9',
    bytes: 'HTTP/0.9 200 OK\r\n\r\n',
    expected: 'not an HTTP response',
    differsFromLlhttp: 'HTTP/0.9 has no status line; a server that sends one is broken',
  },
  {
    name: 'version 2.0',
    bytes: 'HTTP/2.0 200 OK\r\n\r\n',
    expected: 'not an HTTP response',
    differsFromLlhttp: 'HTTP/2 has no status line; a server that sends one is broken',
  },
  { name: 'tab after the version', bytes: 'HTTP/1.1\t200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'two spaces after the version', bytes: 'HTTP/1.1  200 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'status of one digit', bytes: 'HTTP/1.1 2 OK\r\n\r\n', expected: 'not an HTTP response' },
  { name: 'status of four digits', bytes: 'HTTP/1.1 2000 OK\r\n\r\n', expected: 'not an HTTP response' },
  {
    name: 'status 099',
    bytes: 'HTTP/1.1 099 OK\r\n\r\n',
    expected: 'not an HTTP response',
    differsFromLlhttp: 'a status below 100 would count as an interim response (RFC 9110, 15: 100 to 599)',
  },
  { name: 'two spaces after the status', bytes: 'HTTP/1.1 200  OK\r\n\r\n', expected: EMPTY },
  { name: 'no reason', bytes: 'HTTP/1.1 301\r\n\r\n', expected: { status: 301, body: '' } },
  { name: 'empty reason', bytes: 'HTTP/1.1 200 \r\n\r\n', expected: EMPTY },
  {
    name: 'reason in another language',
    bytes: 'HTTP/1.1 500 Ori\xc3\xabntatie\r\nContent-Length: 0\r\n\r\n',
    expected: { status: 500, body: '' },
  },
  {
    name: 'control character in the reason',
    bytes: 'HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n',
    expected: 'invalid',
    differsFromLlhttp: 'llhttp accepts any byte in the reason; RFC 9112, 4 does not',
  },
  {
    name: 'empty line before the head',
    bytes: `\r\n${OK}Content-Length: 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok' },
  },
  {
    name: 'two empty lines before the head',
    bytes: `\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
    expected: 'starts with line breaks',
    differsFromLlhttp: 'llhttp skips any number; one is what some servers send after a body',
  },
  {
    name: 'CR before the head',
    bytes: `\r${OK}Content-Length: 2\r\n\r\nok`,
    expected: 'starts with line breaks',
    differsFromLlhttp: 'llhttp skips CR and LF in any order; here only CR LF is a line break',
  },
  {
    name: 'space before the head',
    bytes: ` ${OK}\r\n`,
    expected: 'not an HTTP response',
  },
];

const HEADERS: readonly Case[] = [
  {
    name: 'only LF, no body',
    bytes: 'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
    expected: CUT_OFF,
    differsFromLlhttp: NO_END,
  },
  {
    name: 'only LF',
    bytes: 'HTTP/1.1 200 OK\nFoo: abc\nBar: def\n\nBODY\n',
    expected: CUT_OFF,
    differsFromLlhttp: NO_END,
  },
  { name: 'LF alone after the status line', bytes: 'HTTP/1.1 200 OK\nA: b\r\n\r\n', expected: 'invalid' },
  { name: 'LF alone after a header', bytes: `${OK}A: b\nC: d\r\n\r\n`, expected: 'invalid header "A"' },
  { name: 'CR alone between headers', bytes: `${OK}Foo: 1\rBar: 2\r\n\r\n`, expected: 'invalid header "Foo"' },
  { name: 'space after the status line', bytes: `${OK} Host: foo\r\n\r\n`, expected: 'invalid header "Host"' },
  { name: 'folded header', bytes: `${OK}A: b\r\n c\r\nContent-Length: 0\r\n\r\n`, expected: 'invalid header "c' },
  {
    name: 'folded transfer encoding',
    bytes: `${OK}Transfer-Encoding: chunked\r\n  abc\r\n\r\n5\r\nWorld\r\n0\r\n\r\n`,
    expected: 'invalid header "abc',
  },
  {
    name: 'space in a header name',
    bytes: `${OK}en-US Content-Type: text/xml\r\n\r\n`,
    expected: 'invalid header "en-US Content-Type"',
  },
  {
    name: 'space before the colon',
    bytes: `${OK}Content-Length : 2\r\n\r\nok`,
    expected: 'invalid header "Content-Length "',
  },
  { name: 'header without a name', bytes: `${OK}: b\r\n\r\n`, expected: 'invalid' },
  { name: 'header without a colon', bytes: `${OK}A\r\n\r\n`, expected: 'invalid header "A' },
  { name: 'control character in a header name', bytes: `${OK}A\x01: b\r\n\r\n`, expected: 'invalid header' },
  { name: 'NUL in a header value', bytes: `${OK}A: b\0c\r\n\r\n`, expected: 'invalid header "A"' },
  { name: 'DEL in a header value', bytes: `${OK}A: b\x7fc\r\n\r\n`, expected: 'invalid header "A"' },
  {
    name: 'header without a value',
    bytes: `${OK}Pragma: \r\nContent-Length: 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok' },
  },
  {
    name: 'unusual characters in header names',
    bytes: `${OK}X-$Prototype-Version: 1\r\n.et-Cookie: a\r\nDCLK_imp: v7;x\r\nContent-Length: 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok' },
  },
];

const CONNECTIONS: readonly Case[] = [
  {
    name: 'Proxy-Connection',
    bytes: `${OK}Proxy-Connection: close\r\nContent-Length: 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok', keepsAlive: true },
    differsFromLlhttp: 'llhttp takes it for Connection; no RFC defines it',
  },
  {
    name: 'HTTP/1.0 with keep-alive, until close',
    bytes: 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nHTTP/1.0 200 OK',
    expected: { status: 200, body: 'HTTP/1.0 200 OK', keepsAlive: false },
  },
  {
    name: 'HTTP/1.0 with keep-alive and a length',
    bytes: 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok',
    expected: { status: 200, body: 'ok', keepsAlive: false },
    differsFromLlhttp: 'connections of HTTP/1.0 are not reused; Kubernetes API servers speak HTTP/1.1',
  },
  {
    name: 'HTTP/1.1 until close',
    bytes: `${OK}\r\nHTTP/1.1 200 OK`,
    expected: { status: 200, body: 'HTTP/1.1 200 OK' },
  },
  {
    name: 'close and a length, then more',
    bytes: `${OK}Content-Length: 5\r\nConnection: close\r\n\r\n2ad731e3`,
    expected: 'data after the end',
  },
  {
    name: '204, then another response',
    bytes: `HTTP/1.1 204 No content\r\n\r\n${OK}\r\n`,
    expected: 'data after the end',
    differsFromLlhttp: ONE_RESPONSE,
  },
  {
    name: 'three responses',
    bytes: `${OK}Content-Length: 3\r\n\r\nAAA\r\n${OK}Content-Length: 4\r\n\r\nBBBB`,
    expected: 'data after the end',
    differsFromLlhttp: ONE_RESPONSE,
  },
  {
    name: 'response to HEAD, then another',
    bytes: `${OK}Content-Length: 123\r\n\r\n${OK}\r\n`,
    method: 'HEAD',
    expected: 'data after the end',
    differsFromLlhttp: ONE_RESPONSE,
  },
  {
    name: '101 with a length',
    bytes:
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nbodyproto',
    expected: 'unexpected status 101',
    differsFromLlhttp: 'this client never asks for an upgrade',
  },
  {
    name: '200 with Upgrade',
    bytes: `${OK}Connection: upgrade\r\nUpgrade: h2c\r\n\r\nbody`,
    expected: { status: 200, body: 'body' },
  },
  {
    name: '200 with Upgrade and a length',
    bytes: `${OK}Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nbody`,
    expected: { status: 200, body: 'body' },
  },
  {
    name: '200 with Upgrade and chunks',
    bytes: `${OK}Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'body' },
  },
  {
    name: 'line break after the end',
    bytes: `${OK}Content-Length: 2\r\n\r\nok\r\n`,
    expected: { status: 200, body: 'ok' },
  },
];

const LENGTHS: readonly Case[] = [
  {
    name: 'Content-Length-X',
    bytes: `${OK}Content-Length-X: 0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'OK', keepsAlive: true },
  },
  {
    name: 'tabs around the length',
    bytes: `${OK}Content-Length:\t2\t\r\n\r\nok`,
    expected: { status: 200, body: 'ok' },
  },
  {
    name: 'spaces around the length',
    bytes: `${OK}Content-Length:  2  \r\n\r\nok`,
    expected: { status: 200, body: 'ok' },
  },
  {
    name: 'space within the length',
    bytes: `${OK}Content-Length: 4 2\r\n\r\n`,
    expected: 'invalid content-length "4 2"',
  },
  {
    name: 'sign before the length',
    bytes: `${OK}Content-Length: +2\r\n\r\nok`,
    expected: 'invalid content-length "+2"',
  },
  { name: 'negative length', bytes: `${OK}Content-Length: -2\r\n\r\nok`, expected: 'invalid content-length "-2"' },
  { name: 'hexadecimal length', bytes: `${OK}Content-Length: 0x2\r\n\r\nok`, expected: 'invalid content-length "0x2"' },
  {
    name: 'length above 64 bits',
    bytes: `${OK}Content-Length: 18446744073709551616\r\n\r\n`,
    expected: 'invalid content-length',
  },
  {
    name: 'no-break space after the length',
    bytes: `${OK}Content-Length: 2\xa0\r\n\r\nok`,
    expected: 'invalid content-length',
  },
  { name: 'empty length', bytes: `${OK}Content-Length:\r\n\r\n`, expected: 'invalid content-length ""' },
  {
    name: 'two lengths',
    bytes: `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`,
    expected: 'invalid content-length "2, 3"',
  },
  {
    name: 'the same length twice',
    bytes: `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok', keepsAlive: true },
    differsFromLlhttp: 'RFC 9110, 8.6 permits it, and client-go accepts it',
  },
  {
    name: 'a list of the same length',
    bytes: `${OK}Content-Length: 2, 2\r\n\r\nok`,
    expected: { status: 200, body: 'ok', keepsAlive: true },
    differsFromLlhttp: 'RFC 9110, 8.6 permits it: proxies combine two headers so',
  },
  {
    name: 'a list of two lengths',
    bytes: `${OK}Content-Length: 2, 3\r\n\r\nok`,
    expected: 'invalid content-length "2, 3"',
  },
  {
    name: 'length before chunks',
    bytes: `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'ok', keepsAlive: false },
    differsFromLlhttp: 'RFC 9112, 6.3: the encoding overrides the length; the connection is closed',
  },
  {
    name: 'length after chunks',
    bytes: `${OK}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'ok', keepsAlive: false },
    differsFromLlhttp: 'RFC 9112, 6.3: the encoding overrides the length; the connection is closed',
  },
  { name: 'body shorter than the length', bytes: `${OK}Content-Length: 3\r\n\r\nok`, expected: CUT_OFF },
];

const ENCODINGS: readonly Case[] = [
  {
    name: 'empty encoding',
    bytes: `${OK}Transfer-Encoding:\r\nContent-Length: 5\r\n\r\nhello`,
    expected: 'unknown transfer encoding ""',
  },
  {
    name: 'chunked before deflate',
    bytes: `${OK}Transfer-Encoding: chunked, deflate\r\n\r\nWorld`,
    expected: 'unknown transfer encoding',
    differsFromLlhttp: STRICT_ENCODING,
  },
  {
    name: 'chunked before identity, in two headers',
    bytes: `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nWorld`,
    expected: 'unknown transfer encoding "chunked, identity"',
    differsFromLlhttp: STRICT_ENCODING,
  },
  {
    name: 'chunkedchunked',
    bytes: `${OK}Transfer-Encoding: chunkedchunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
    expected: 'unknown transfer encoding',
    differsFromLlhttp: STRICT_ENCODING,
  },
  {
    name: 'deflate before chunked',
    bytes: `${OK}Transfer-Encoding: deflate, chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
    expected: 'unknown transfer encoding',
    differsFromLlhttp: 'the client does not decode deflate and never asks for it',
  },
  {
    name: 'chunked twice',
    bytes: `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
    expected: 'unknown transfer encoding "chunked, chunked"',
    differsFromLlhttp: 'RFC 9112, 6.1: chunked is applied once',
  },
  {
    name: 'vertical tab before chunked',
    bytes: `${OK}Transfer-Encoding: \x0bchunked\r\n\r\n`,
    expected: 'invalid header "Transfer-Encoding"',
  },
  {
    name: 'chunked in another case',
    bytes: `${OK}Transfer-Encoding: Chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'OK' },
  },
];

const CHUNKS: readonly Case[] = [
  {
    name: 'space after a size',
    bytes: `${CHUNKED}2  \r\nok\r\n0 \t\r\n\r\n`,
    expected: { status: 200, body: 'ok' },
    differsFromLlhttp: 'some servers pad sizes, and client-go accepts that',
  },
  { name: 'space before a size', bytes: `${CHUNKED} 2\r\nok\r\n0\r\n\r\n`, expected: 'a chunk has no size' },
  {
    name: 'text after a size',
    bytes: `${CHUNKED}2 erfrferferf\r\naa\r\n0 rrrr\r\n\r\n`,
    expected: 'a chunk has an invalid size',
  },
  { name: 'sign before a size', bytes: `${CHUNKED}-2\r\nok\r\n0\r\n\r\n`, expected: 'a chunk has no size' },
  { name: 'size with 0x', bytes: `${CHUNKED}0x2\r\nok\r\n0\r\n\r\n`, expected: 'a chunk has an invalid size' },
  { name: 'size above 64 bits', bytes: `${CHUNKED}fffffffffffffffff\r\n`, expected: 'a chunk is too long' },
  {
    name: 'extensions',
    bytes: `${CHUNKED}5;ilovew3;some=thing\r\nhello\r\n6;blah;blah\r\n world\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'hello world' },
  },
  {
    name: 'quoted extensions',
    bytes: `${CHUNKED}5;a="I love; extensions";b="c"\r\nhello\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'hello' },
  },
  {
    name: 'semicolon without an extension',
    bytes: `${CHUNKED}2;\r\naa\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'aa' },
    differsFromLlhttp: DISCARDED,
  },
  {
    name: 'extension with an open quote',
    bytes: `${CHUNKED}5;a="b";c="def; ghi\r\nhello\r\n0\r\n\r\n`,
    expected: { status: 200, body: 'hello' },
    differsFromLlhttp: DISCARDED,
  },
  {
    name: 'LF in an extension',
    bytes: `${CHUNKED}5;a\nhello\r\n0\r\n\r\n`,
    expected: 'a chunk has an invalid extension',
  },
  {
    name: 'CR in an extension',
    bytes: `${CHUNKED}5;a\rb\r\nhello\r\n0\r\n\r\n`,
    expected: 'a chunk has an invalid size',
  },
  {
    name: 'NUL in an extension',
    bytes: `${CHUNKED}5;a\0b\r\nhello\r\n0\r\n\r\n`,
    expected: 'a chunk has an invalid extension',
  },
  { name: 'LF alone after a size', bytes: `${CHUNKED}5\nhello\r\n0\r\n\r\n`, expected: 'a chunk has an invalid size' },
  { name: 'LF alone after a chunk', bytes: `${CHUNKED}5\r\nhello\n0\r\n\r\n`, expected: 'longer than its size' },
  { name: 'no line break after a chunk', bytes: `${CHUNKED}5\r\nhello0\r\n\r\n`, expected: 'longer than its size' },
  { name: 'CR alone after a chunk', bytes: `${CHUNKED}5\r\nhello\r0\r\n\r\n`, expected: 'longer than its size' },
  { name: 'chunk longer than its size', bytes: `${CHUNKED}4\r\nhello\r\n0\r\n\r\n`, expected: 'longer than its size' },
  {
    name: 'trailers',
    bytes: `${CHUNKED}5\r\nhello\r\n0\r\nVary: *\r\nContent-Type: text/plain\r\n\r\n`,
    expected: { status: 200, body: 'hello' },
  },
  {
    name: 'LF alone after a trailer',
    bytes: `${CHUNKED}0\r\nA: b\n\r\n`,
    expected: 'a trailer of the response is invalid',
  },
  {
    name: 'trailer with a space before its colon',
    bytes: `${CHUNKED}0\r\nA : b\r\n\r\n`,
    expected: { status: 200, body: '' },
    differsFromLlhttp: 'trailers are discarded, so that only their length and line breaks are checked',
  },
  { name: 'no empty line after the last chunk', bytes: `${CHUNKED}5\r\nhello\r\n0\r\n`, expected: CUT_OFF },
  { name: 'no last chunk', bytes: `${CHUNKED}5\r\nhello\r\n`, expected: CUT_OFF },
];

describe.each([
  ['status line', STATUS_LINES],
  ['headers', HEADERS],
  ['connection', CONNECTIONS],
  ['length', LENGTHS],
  ['encoding', ENCODINGS],
  ['chunks', CHUNKS],
])('a response with an unusual %s', (_part, cases) => {
  test.each(cases)(
    'a malformed response is parsed the same whole and byte by byte: $name',
    ({ bytes, method = 'GET', expected }) => {
      const whole = parseResponse([bytes], { method, isClosed: true });
      expect(summary(parseResponse(bytes, { method, isClosed: true }))).toEqual(summary(whole));
      if (typeof expected === 'string') expect(whole.error).toContain(expected);
      else expect(summary(whole)).toMatchObject({ ...expected, ended: 1, error: undefined });
    },
  );
});

function summary({ heads: [head], body, ended, error }: ParsedResponse): object {
  return { status: head?.status, keepsAlive: head?.keepsAlive, body, ended, error };
}
