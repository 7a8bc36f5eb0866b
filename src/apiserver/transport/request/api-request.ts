import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../../../api/request-info.js';
import { tooLarge, unsupportedMediaType } from '../../errors/status-error.js';
import type { UserInfo } from '../../objects/user-info.js';

const MAX_BODY_BYTES = 3 * 1024 * 1024;
const READABLE = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** A request with its caller known and its path understood. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Throws when the caller may not create what a request that is none to create would create. */
  readonly checkCreate: () => void;
  /** Said to the client in Warning headers. */
  readonly warnings: string[];
  /** Noted in the audit event; added to. */
  readonly annotations: Record<string, string>;
}

/** A request's body, read whole. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Whether the parameters of the type are such. */
  readonly isReadable: boolean;
}

export async function readBody(message: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
  }
  if (size > MAX_BODY_BYTES) {
    message.resume(); // who has not sent it all does not read the answer yet
    throw tooLarge(`Request entity too large: limit is ${MAX_BODY_BYTES}`);
  }
  const header = message.headers['content-type'] ?? '';
  return { bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks), ...contentOf(header) };
}

/** The media type of a Content-Type header. */
export function mediaTypeOf(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim();
}

function contentOf(header: string): Pick<RequestBody, 'contentType' | 'isReadable'> {
  const contentType = mediaTypeOf(header);
  const read = contentType.toLowerCase();
  // mime.ParseMediaType wants each parameter to have a value.
  const isFormed = header
    .split(';')
    .slice(1)
    .every((parameter) => /^\s*([^=\s]+=.*)?$/.test(parameter));
  return { contentType: READABLE.includes(read) ? read : contentType, isReadable: isFormed };
}

/** Whether the body is Kubernetes' protobuf; refuses what is neither that, JSON nor YAML. */
export function isProtobuf({ contentType, isReadable }: RequestBody): boolean {
  if (!isReadable || (contentType !== '' && !READABLE.includes(contentType))) throw unsupportedMediaType(READABLE);
  return contentType === 'application/vnd.kubernetes.protobuf';
}
