import { STRING_FORMATS } from './string-formats.js';

/** The format, when a text does not have it; formats nobody knows always hold. */
export function formatError(format: string, text: string): string | undefined {
  return STRING_FORMATS.get(format.replaceAll('-', ''))?.(text) === false ? format : undefined;
}
