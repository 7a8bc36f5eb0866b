import { goQuoted } from '../../base/go-quoted.js';
import { badRequest } from '../errors/status-error.js';

/** Problems found by decoding that are not errors by themselves: unknown and duplicate fields. */
export class DecodeReport {
  readonly problems: string[] = [];

  /** @param isOfDecoded whether the input is decoded JSON: then paths omit map keys and are not quoted as Go strings */
  constructor(readonly isOfDecoded = false) {}

  unknown(path: string): void {
    this.problems.push(this.isOfDecoded ? `unknown field "${path}"` : unknownFieldProblem(path));
  }

  duplicate(path: string): void {
    this.problems.push(`duplicate field ${goQuoted(path)}`);
  }
}

export function unknownFieldProblem(path: string): string {
  return `unknown field ${goQuoted(path)}`;
}

/** A value of the wrong JSON type. */
export class TypeMismatch extends Error {
  /** @param converted the message of the converter of decoded JSON; `message` is that of Go's JSON decoder */
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
