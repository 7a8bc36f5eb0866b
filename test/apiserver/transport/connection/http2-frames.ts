import type { Readable } from 'node:stream';

/** Frames of HTTP/2 as bytes (RFC 9113, section 4), for what Node's client cannot send. */
const TYPES = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING', 'GOAWAY'] as const;
type FrameType = (typeof TYPES)[number];
const HEAD_BYTES = 9;

export interface Frame {
  readonly type: FrameType | undefined;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: FrameType, stream: number, payload: Buffer = Buffer.alloc(0), flags = 0): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = TYPES.indexOf(type);
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The header block of a GET request: literals that neither side indexes (RFC 7541, section 6.2.2). */
export function headerBlock(path: string, fields: readonly (readonly [string, string])[]): Buffer {
  const pseudo = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', path],
  ] as const;
  return Buffer.concat(
    [...pseudo, ...fields].flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]),
  );
}

/** A string with its length, an integer with a prefix of 7 bits. */
function literal(value: string): Buffer {
  if (value.length < 127) return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const length = [127];
  let rest = value.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), Buffer.from(value)]);
}

export async function* receivedFrames(socket: Readable): AsyncGenerator<Frame> {
  let buffered: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + buffered.readUIntBE(0, 3);
      if (buffered.length < end) break;
      const type = TYPES[buffered[3] ?? 0];
      yield { type, stream: buffered.readUInt32BE(5), payload: buffered.subarray(HEAD_BYTES, end) };
      buffered = buffered.subarray(end);
    }
  }
}
