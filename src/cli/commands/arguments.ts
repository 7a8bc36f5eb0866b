import { InvalidArgumentError } from 'commander';
import { parseLabelQuery, type LabelQuery } from '../../apiserver/storage/label-query.js';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

export function namespaceArgument(value: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError('A namespace is at most 63 lower-case letters, digits and inner hyphens.');
}

/** For an option that may be given more than once, or several with commas. */
export function namespacesArgument(value: string, previous: readonly string[] = []): string[] {
  return [...new Set([...previous, ...value.split(',').map(namespaceArgument)])];
}

/** Names with commas, of an option that may be given more than once. */
export function listArgument(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').filter((name) => name !== '')];
}

/** The address of an API server; without a scheme it is HTTPS. */
export function serverArgument(value: string): string {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return value;
  throw new InvalidArgumentError('Give an address, for example https://127.0.0.1:6443.');
}

/** Where to listen: host and port, all interfaces if there is no host; `0` for nowhere. */
export function addressArgument(value: string): string {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(value) ?? [];
  if (value === '0' || (port !== undefined && Number(port) <= 65_535)) return value;
  throw new InvalidArgumentError('Give host and port, for example :8080 or 127.0.0.1:8080, or 0 for none.');
}

/** A duration as Go programs take it, in one unit. */
export function durationArgument(value: string): number {
  const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(value) ?? [];
  if (unit !== undefined) return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  throw new InvalidArgumentError('Give a duration, for example 30s or 2m.');
}

/** A port; `0` for one that is free. */
export function portArgument(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('Give a port, 0 to 65535.');
}

/** Which pods are meant, by their labels. */
export function selectorArgument(value: string): LabelQuery {
  try {
    return parseLabelQuery(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(`Give a label selector, for example app=web: ${why}`);
  }
}

export function countArgument(value: string): number {
  if (/^\d{1,4}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Give a number, 0 to 9999.');
}

/** Where something is to be written: not where the shell is because a variable was not set. */
export function pathArgument(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('Give a path.');
}

/** A number of characters. */
export function lengthArgument(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Give a number of characters, for example 300.');
}
