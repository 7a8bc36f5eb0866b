import { inspect } from 'node:util';
import { userFrames, type UserFrame } from './user-frames.js';

/** An error as it appears in a log record. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  /** Such as `E_API`. */
  readonly code?: string;
  /** HTTP status of a request that the API server rejected. */
  readonly status?: number;
  readonly reason?: string;
  /** Location of the innermost frame of the user's own code. */
  readonly at?: string;
  readonly frames?: readonly UserFrame[];
  /** The error with its whole stack, its causes and its fields. */
  readonly stack?: string;
}

export interface ErrorFieldsOptions {
  /** Include the stack. */
  readonly isVerbose: boolean;
}

/** Describes an error, or any other value, for a log record. Never throws, even if a getter of the error does. */
export function errorFields(error: unknown, { isVerbose }: ErrorFieldsOptions): ErrorFields {
  const frames = userFrames(error);
  const [first] = frames;
  return {
    type: textMember(error, 'name') ?? typeof error,
    message: textMember(error, 'message') ?? printed(error),
    ...optional('code', textMember(error, 'code')),
    ...optional('status', numberMember(error, 'status')),
    ...optional('reason', textMember(error, 'reason')),
    ...optional('at', first?.location),
    ...(frames.length > 0 && { frames }),
    ...(isVerbose && { stack: printed(error) }),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
}

function textMember(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' && member !== '' ? member : undefined;
}

function numberMember(value: unknown, key: string): number | undefined {
  const member = memberOf(value, key);
  return typeof member === 'number' ? member : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  try {
    return typeof value === 'object' ? (value as Record<string, unknown> | null)?.[key] : undefined;
  } catch {
    return undefined;
  }
}

function printed(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return `a value of type ${typeof value} that cannot be printed`;
  }
}
