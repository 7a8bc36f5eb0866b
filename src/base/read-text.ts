import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { displayPath } from './display-path.js';
import { OperatorError } from './operator-error.js';

/**
 * Reads a file of UTF-8, without a byte order mark.
 *
 * @throws OperatorError for a file in another encoding, and the errors of `readFileSync`
 */
export function readText(file: string | number): string {
  return decodeText(readFileSync(file), typeof file === 'number' ? 'the standard input' : displayPath(file));
}

/**
 * Decodes UTF-8, without a byte order mark. Node itself would replace what is invalid.
 *
 * @param name of the file, for errors
 * @throws OperatorError with the line for text in another encoding
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new OperatorError(`${name}:${invalidLine(bytes)}: not valid UTF-8`, {
      code: 'E_NO_FILE',
      hint: 'save the file as UTF-8',
      cause,
    });
  }
}

/** Returns the number of the first line that is not valid UTF-8, which has no character with a line break in it. */
function invalidLine(bytes: Uint8Array): number {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}
