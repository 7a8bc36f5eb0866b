import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Text of a file `.br`. */
export function decompressed(content: Uint8Array): string {
  return brotliDecompressSync(content).toString();
}

/** Content of a file `.br`; the same for the same text. */
export function compressed(text: string): Buffer {
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  return brotliCompressSync(text, { params });
}
