import { InvalidArgumentError } from 'commander';
import { durationMs } from '../../base/duration-ms.js';
import { parseLabelQuery, type LabelQuery } from '../../apiserver/storage/label-query.js';
import { mergeOverrides, parseOverrides, type ControllerOverrides } from '../settings/controller-overrides.js';

export function namespaceArgument(value: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError('A namespace has at most 63 lowercase letters, digits and inner hyphens.');
}

/** Comma-separated namespaces, of an option that may be given more than once. */
export function namespacesArgument(value: string, previous: readonly string[] = []): string[] {
  return [...new Set([...previous, ...value.split(',').map(namespaceArgument)])];
}

/** Comma-separated names, of an option that may be given more than once. */
export function listArgument(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').filter((name) => name !== '')];
}

/** The address of an API server; HTTPS when it has no scheme. */
export function serverArgument(value: string): string {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return value;
  throw new InvalidArgumentError('Pass an address, for example https://127.0.0.1:6443.');
}

/** A listen address, host and port; all interfaces without a host; `0` disables the listener. */
export function addressArgument(value: string): string {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(value) ?? [];
  if (value === '0' || (port !== undefined && Number(port) <= 65_535)) return value;
  throw new InvalidArgumentError('Pass host and port, for example :8080 or 127.0.0.1:8080, or 0 to disable it.');
}

/** A duration like `30s`, in milliseconds. */
export function durationArgument(value: string): number {
  const ms = durationMs(value);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('Pass a duration, for example 30s or 2m.');
}

/** A duration like `30m`, in milliseconds; `0` for never. */
export function intervalArgument(value: string): number {
  return value === '0' ? 0 : durationArgument(value);
}

/** Options of controllers, of an option that may be given more than once; the last value counts. */
export function overridesArgument(value: string, previous: ControllerOverrides = {}): ControllerOverrides {
  try {
    return mergeOverrides(previous, parseOverrides(value));
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** A port; `0` for a free port. */
export function portArgument(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('Pass a port, 0 to 65535.');
}

/** A label selector. */
export function selectorArgument(value: string): LabelQuery {
  try {
    return parseLabelQuery(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(`Pass a label selector, for example app=web: ${why}`);
  }
}

export function countArgument(value: string): number {
  if (/^\d{1,4}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Pass a number, 0 to 9999.');
}

/** A path; empty ones, from unset shell variables, are refused. */
export function pathArgument(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('Pass a path.');
}

/** A number of characters. */
export function lengthArgument(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Pass a number of characters, for example 300.');
}
