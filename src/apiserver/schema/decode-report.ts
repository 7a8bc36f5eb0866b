import { goQuoted } from '../../base/go-quoted.js';
import { badRequest } from '../errors/status-error.js';

/** What decoding found that is no error by itself: fields nobody knows, and fields given twice. */
export class DecodeReport {
  readonly problems: string[] = [];

  /** @param isOfDecoded whether decoded JSON is looked at: then paths are without the keys of maps, and stand as they are */
  constructor(readonly isOfDecoded = false) {}

  unknown(path: string): void {
    this.problems.push(this.isOfDecoded ? `unknown field "${path}"` : unknownField(path));
  }

  duplicate(path: string): void {
    this.problems.push(`duplicate field ${goQuoted(path)}`);
  }
}

export function unknownField(path: string): string {
  return `unknown field ${goQuoted(path)}`;
}

/** A value of the wrong JSON type. */
export class TypeMismatch extends Error {
  /** `message` is in the words of Go's JSON decoder, `converted` in those of the converter of decoded JSON. */
  constructor(
    message: string,
    readonly converted = message,
  ) {
    super(message);
  }
}

export function cannotHandle(kind: string, version: string, expected: string, why: string): Error {
  return badRequest(`${kind} in version ${goQuoted(version)} cannot be handled as a ${expected}: ${why}`);
}
