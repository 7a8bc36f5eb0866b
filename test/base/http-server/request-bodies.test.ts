import { beforeEach, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RequestBodies } from '../../../src/base/http-server/request-bodies.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const OPTIONS = { maxBytes: 1_000_000 };
const READ = 64 * 1024;
const COUNT = 2_000;

let bodies: RequestBodies;
beforeEach(() => {
  bodies = new RequestBodies();
});

/** A request whose body arrives in the chunks. */
function requestOf(chunks: Iterable<Buffer>): IncomingMessage {
  const message = Object.assign(Readable.from(chunks), { headers: {} }) as unknown as IncomingMessage;
  bodies.track(message, new EventEmitter() as ServerResponse);
  return message;
}

/** Chunks of one byte, each in a buffer of its own that a socket was read into. */
function* smallChunks(): Generator<Buffer> {
  for (let n = 0; n < COUNT; n++) yield Buffer.alloc(READ, n).subarray(0, 1);
}

test('a body in small chunks takes memory for its bytes only, not for what the socket was read into', async () => {
  const message = requestOf(smallChunks());
  let heldBytes = Infinity;
  collectGarbage();
  const { arrayBuffers: before } = process.memoryUsage();
  message.once('end', () => {
    collectGarbage();
    heldBytes = process.memoryUsage().arrayBuffers - before;
  });
  expect(await bodies.read(message, OPTIONS)).toHaveLength(COUNT);
  expect(heldBytes).toBeLessThan((COUNT * READ) / 2);
});

test('small chunks are passed on together, in order', async () => {
  const pieces: Buffer[] = [];
  const chunks = [...smallChunks(), Buffer.alloc(READ, 1), Buffer.from('end')];
  for await (const piece of bodies.chunks(requestOf(chunks), OPTIONS)) pieces.push(piece);
  expect(pieces.length).toBeLessThan(5);
  expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true);
});

test('a body that is too long is rejected with 413, in one piece or in chunks', async () => {
  const long = () => requestOf([Buffer.alloc(600), Buffer.alloc(600)]);
  await expect(bodies.read(long(), { maxBytes: 1000 })).rejects.toMatchObject({ status: 413 });
  const consume = async () => {
    for await (const _ of bodies.chunks(long(), { maxBytes: 1000 }));
  };
  await expect(consume()).rejects.toMatchObject({ status: 413 });
});
