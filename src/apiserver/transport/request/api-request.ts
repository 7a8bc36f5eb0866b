import { JoinedChunks } from '../../../base/joined-chunks.js';
import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../../../api/access/request-info.js';
import { tooLarge, unsupportedMediaType } from '../../errors/status-error.js';
import type { UserInfo } from '../../objects/user-info.js';

const MAX_BODY_BYTES = 3 * 1024 * 1024;
const READABLE = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** An authenticated request with a parsed path. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /**
   * @throws StatusError when the user has no create permission; for requests that create an object but have another
   * verb
   */
  readonly checkCreate: () => void;
  /** Warnings for the client, sent in Warning headers. */
  readonly warnings: string[];
  /** Annotations of the audit event; handlers add to them. */
  readonly annotations: Record<string, string>;
}

/** The body of a request, read completely. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** False if the parameters of the media type are malformed. */
  readonly isReadable: boolean;
}

export async function readBody(message: IncomingMessage): Promise<RequestBody> {
  const chunks = new JoinedChunks();
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunks.bytes > MAX_BODY_BYTES) break;
  }
  if (chunks.bytes > MAX_BODY_BYTES) {
    message.resume(); // a client that is still sending does not read the response
    throw tooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  }
  const header = message.headers['content-type'] ?? '';
  return { bytes: chunks.join(), ...contentOf(header) };
}

/** The media type of a Content-Type header. */
export function mediaTypeOf(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim();
}

function contentOf(header: string): Pick<RequestBody, 'contentType' | 'isReadable'> {
  const contentType = mediaTypeOf(header);
  const read = contentType.toLowerCase();
  // mime.ParseMediaType requires a value for each parameter.
  const isFormed = header
    .split(';')
    .slice(1)
    .every((parameter) => /^\s*([^=\s]+=.*)?$/.test(parameter));
  return { contentType: READABLE.includes(read) ? read : contentType, isReadable: isFormed };
}

/**
 * Returns whether the body is Kubernetes protobuf.
 * @throws StatusError when the media type is not protobuf, JSON or YAML
 */
export function isProtobuf({ contentType, isReadable }: RequestBody): boolean {
  if (!isReadable || (contentType !== '' && !READABLE.includes(contentType))) throw unsupportedMediaType(READABLE);
  return contentType === 'application/vnd.kubernetes.protobuf';
}
