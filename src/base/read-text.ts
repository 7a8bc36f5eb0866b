import { readFileSync } from 'node:fs';

/**
 * Reads a file of UTF-8, without a byte order mark.
 *
 * @throws TypeError for a file in another encoding, and the errors of `readFileSync`
 */
export function readText(file: string | number): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
}
