import { Writable } from 'node:stream';

/** Output that is kept in memory at most; more would be a stream. */
const MOST_BYTES = 2 ** 24;

/** Returns a stream, the given one or else one whose text is kept. */
export function collectedOutput(given: Writable | undefined): { readonly stream: Writable; text(): string } {
  if (given) return { stream: given, text: () => '' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) {
        done(
          new RangeError(
            `the output exceeds ${MOST_BYTES} bytes: pass a stream for it, { stdout: createWriteStream(…) }`,
          ),
        );
        return;
      }
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
