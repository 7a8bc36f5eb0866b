import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../../api/request-info.js';
import { parseJson } from '../../base/json.js';
import { parseYaml } from '../../base/yaml.js';
import { badRequest, tooLarge, unsupportedMediaType } from '../errors/status-error.js';
import type { UserInfo } from '../registry/write-options.js';

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
  const contentType = (message.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
  return { bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks), contentType };
}

/** Whether the body is Kubernetes' protobuf; refuses what is neither that, JSON nor YAML. */
export function isProtobuf({ contentType }: RequestBody): boolean {
  if (contentType !== '' && !READABLE.includes(contentType)) throw unsupportedMediaType(READABLE);
  return contentType === 'application/vnd.kubernetes.protobuf';
}

/** The body as a value. `expected` is the kind a message names. */
export function parseBody({ bytes, contentType }: RequestBody, expected: string): unknown {
  const text = bytes.toString();
  try {
    return contentType === 'application/yaml' ? parseYaml(text, 'body') : parseJson(text);
  } catch (error) {
    const excerpt = text === '' ? '<empty>' : text.slice(0, 1000);
    const why = text === '' ? 'unexpected end of JSON input' : goMessage(text, error);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected}): couldn't get version/kind; json parse error: ${why} (${excerpt})`,
    );
  }
}

function goMessage(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined || Number(position) >= text.length) return 'unexpected end of JSON input';
  const found = text.charAt(Number(position));
  const before = text.slice(0, Number(position)).trimEnd().at(-1);
  const where =
    before === '{' || (before === ',' && !text.startsWith('['))
      ? 'looking for beginning of object key string'
      : 'looking for beginning of value';
  return `invalid character ${found === "'" ? "'\\''" : `'${found}'`} ${where}`;
}
