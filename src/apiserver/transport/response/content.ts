import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiRequest } from '../request/api-request.js';
import type { Outcome } from './outcome.js';

/** A document that clients can cache. */
export interface Content {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Without quotes; default: the document has none. */
  readonly etag?: string;
  /** When the content last changed, in ms. */
  readonly modifiedMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Compressed bodies, for as long as their content is kept. */
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/**
 * Responds with a document, or with 304 or 412 if the conditional headers of the request require it, or with one range
 * of bytes: http.ServeContent of Go.
 */
export function contentOutcome(request: ApiRequest, content: Content): Outcome {
  const { bytes, contentType, etag, modifiedMs } = content;
  const headers = {
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(modifiedMs).toUTCString(),
    ...(etag !== undefined && { ETag: `"${etag}"` }),
    ...content.headers,
  };
  const code = conditionalCode(request, content);
  if (code === 200) return rangeOf(request, content, headers);
  const isUnmodified = code === 304;
  const { 'Last-Modified': modified, 'Accept-Ranges': _, ...rest } = headers;
  return {
    type: 'text',
    code,
    contentType: isUnmodified ? '' : contentType,
    body: bytes.subarray(0, 0),
    headers: isUnmodified && etag !== undefined ? rest : { ...rest, 'Last-Modified': modified },
  };
}

/** Responds with a compressed document to clients that accept gzip. */
export async function compressedOutcome(request: ApiRequest, content: Content): Promise<Outcome> {
  const outcome = contentOutcome(request, content);
  if (outcome.type !== 'text' || outcome.code !== 200 || !acceptsGzip(request)) return outcome;
  const { bytes } = content;
  let body = compressed.get(bytes);
  if (!body) compressed.set(bytes, (body = promisify(gzip)(bytes)));
  return { ...outcome, body: await body, headers: { ...outcome.headers, 'Content-Encoding': 'gzip' } };
}

/** Returns whether the client accepts gzip; quality values are not read, like in Kubernetes. */
export function acceptsGzip({ message }: ApiRequest): boolean {
  const encodings = (message.headers['accept-encoding'] ?? '').split(',');
  return encodings.some((encoding) => encoding.trim() === 'gzip');
}

/** Evaluates the conditional headers in the order of RFC 9110. */
function conditionalCode({ message: { headers } }: ApiRequest, { etag, modifiedMs }: Content): 200 | 304 | 412 {
  const modifiedSeconds = Math.floor(modifiedMs / 1000);
  const { 'if-match': match, 'if-unmodified-since': unmodified, 'if-none-match': noneMatch } = headers;
  if (match !== undefined ? !isListed(match, etag) : modifiedSeconds > secondsOf(unmodified, Infinity)) return 412;
  const isCurrent =
    noneMatch !== undefined
      ? isListed(noneMatch, etag)
      : modifiedSeconds <= secondsOf(headers['if-modified-since'], -Infinity);
  return isCurrent ? 304 : 200;
}

/** Returns whether a list of entity tags contains one, or is `*`; weak tags count as equal. */
function isListed(list: string, etag: string | undefined): boolean {
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || (etag !== undefined && tag === `"${etag}"`));
}

function secondsOf(date: string | undefined, missing: number): number {
  const ms = date === undefined ? NaN : Date.parse(date);
  return Number.isNaN(ms) ? missing : Math.floor(ms / 1000);
}

/** Responds with the requested range of bytes; with all bytes if none, an invalid one or several are requested. */
function rangeOf(request: ApiRequest, content: Content, headers: Readonly<Record<string, string>>): Outcome {
  const { bytes, contentType } = content;
  const range = requestedRange(request, bytes.length, headers.ETag);
  if (!range) return { type: 'text', code: 200, contentType, body: bytes, headers };
  const { start, end } = range;
  const isPart = start < end;
  return {
    type: 'text',
    code: isPart ? 206 : 416,
    contentType: isPart ? contentType : 'text/plain; charset=utf-8',
    body: isPart ? bytes.subarray(start, end) : 'invalid range: failed to overlap\n',
    headers: { ...headers, 'Content-Range': `bytes ${isPart ? `${start}-${end - 1}` : '*'}/${bytes.length}` },
  };
}

function requestedRange(
  { message }: ApiRequest,
  length: number,
  etag: string | undefined,
): { readonly start: number; readonly end: number } | undefined {
  const { range = '', 'if-range': ifRange = etag } = message.headers;
  const match = /^bytes=(?!-$)(\d*)-(\d*)$/.exec(range);
  if (!match || ifRange !== etag) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return { start: Math.max(0, length - Number(last)), end: length };
  return { start: Number(first), end: last === '' ? length : Math.min(length, Number(last) + 1) };
}
