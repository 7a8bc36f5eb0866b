import { InvalidArgumentError } from 'commander';
import { durationMs } from '../../base/duration.js';
import { parseLabelQuery, type LabelQuery } from '../../apiserver/storage/label-query.js';
import { isLoopbackHost, parseBindAddress } from '../../manager/http-endpoint.js';
import { FOLDER_PATTERN, MANIFEST_PARTS, type PartFolders } from '../../manifests/output/part-folders.js';
import { isWebhookObjectName } from '../../manifests/webhooks/injection-targets.js';
import type { FeatureGates } from '../../resource/feature-gates.js';
import type { ControllerOverrides } from '../../manager/controller-overrides.js';
import { mergeOverrides, parseOverrides } from '../settings/controller-overrides.js';

export function namespaceArgument(value: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError('A namespace has at most 63 lowercase letters, digits and inner hyphens.');
}

/** Parses comma-separated namespaces of an option that may be given more than once. */
export function namespacesArgument(value: string, previous: readonly string[] = []): string[] {
  return [...new Set([...previous, ...value.split(',').map(namespaceArgument)])];
}

/** Collects the names of webhook objects. */
export function webhookObjectArgument(value: string, previous: readonly string[] = []): string[] {
  if (isWebhookObjectName(value)) return [...previous, value];
  throw new InvalidArgumentError('Pass the name of a Secret, Service or configuration in the generated manifests.');
}

/** Parses comma-separated names of an option that may be given more than once. */
export function listArgument(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').filter((name) => name !== '')];
}

/** Parses the address of an API server; without a scheme, HTTPS is used. */
export function serverArgument(value: string): string {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return value;
  throw new InvalidArgumentError('Pass an address, for example https://127.0.0.1:6443.');
}

/** Parses host and port to listen on; without a host, all interfaces; `0` disables the listener. */
export function addressArgument(value: string): string {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(value) ?? [];
  if (value === '0' || (port !== undefined && Number(port) <= 65_535)) return value;
  throw new InvalidArgumentError('Pass host and port, for example :8080 or 127.0.0.1:8080, or 0 to disable it.');
}

/** Parses host and port to listen on; the host must be a loopback address; `0` disables the listener. */
export function loopbackArgument(value: string): string {
  const target = parseBindAddress(addressArgument(value));
  if (!target || isLoopbackHost(target.host)) return value;
  throw new InvalidArgumentError('Pass a loopback address, for example 127.0.0.1:6060, or 0 to disable it.');
}

/** Parses host and port; the host is a DNS name or an IPv4 address. */
export function tunnelArgument(value: string): string {
  const [, port] = /^[a-zA-Z0-9][a-zA-Z0-9.-]*:(\d{1,5})$/.exec(value) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return value;
  throw new InvalidArgumentError('Pass host and port, for example node-1.example.com:9443.');
}

/** Parses a duration such as `30s`; returns milliseconds. */
export function durationArgument(value: string): number {
  const ms = durationMs(value);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('Pass a duration, for example 30s or 2m.');
}

/** Parses a duration such as `30m`; returns milliseconds, 0 for never. */
export function intervalArgument(value: string): number {
  return value === '0' ? 0 : durationArgument(value);
}

/** Parses options of controllers; the flag may be given more than once, and the last value counts. */
export function overridesArgument(value: string, previous: ControllerOverrides = {}): ControllerOverrides {
  try {
    return mergeOverrides(previous, parseOverrides(value));
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** Parses `Backups=true,Probes=false`, the syntax of Kubernetes' components; adds to those before. */
export function featureGatesArgument(value: string, previous: FeatureGates = {}): FeatureGates {
  const gates = value.split(',').filter((part) => part.trim() !== '');
  const entries = gates.map((part): [string, boolean] => {
    const [, name, state] = /^\s*(\w+)\s*=\s*(true|false)\s*$/.exec(part) ?? [];
    if (name === undefined) throw new InvalidArgumentError(`"${part}" is not of the form Name=true or Name=false.`);
    return [name, state === 'true'];
  });
  return { ...previous, ...Object.fromEntries(entries) };
}

/** Parses a port; `0` selects a free one. */
export function portArgument(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('Pass a port, 0 to 65535.');
}

/** The ports from 1024 that browsers block: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_PORTS: ReadonlySet<string> = new Set(
  '1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'.split(' '),
);

/** Parses the port of the console, or `off`. */
export function consoleArgument(value: string): number | boolean {
  if (value === 'off') return false;
  if (BLOCKED_PORTS.has(value)) throw new InvalidArgumentError(`Browsers do not open port ${value}; pass another one.`);
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('Pass a port, as in --console=4191, or --console=off; name files before --console.');
}

/** Parses a label selector. */
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

/** Parses a number per second. */
export function rateArgument(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Pass a number per second, 1 to 9999.');
}

/** Returns the path; empty ones, from unset shell variables, are rejected. */
export function pathArgument(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('Pass a path.');
}

/** Collects the paths of an option that may be given more than once. */
export function pathsArgument(value: string, previous: readonly string[] = []): string[] {
  return [...previous, pathArgument(value)];
}

/** Parses a number of characters. */
export function lengthArgument(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Pass a number of characters, for example 300.');
}

/** Returns the path of a YAML file; other names are rejected, because they are likely to be sources after an option without a value. */
export function yamlFileArgument(value: string): string {
  if (/[^/\\]\.ya?ml$/.test(value)) return value;
  throw new InvalidArgumentError('Pass a file that ends with .yaml; write the files to read before the option.');
}

/** Collects the folders of parts: `crds=crd`. */
export function foldersArgument(value: string, previous: PartFolders = {}): PartFolders {
  const [part = '', folder = ''] = value.split('=', 2);
  const known = MANIFEST_PARTS.find((each) => each === part);
  if (!known) throw new InvalidArgumentError(`Pass <part>=<folder>, with one of ${MANIFEST_PARTS.join(', ')}.`);
  if (!new RegExp(FOLDER_PATTERN).test(folder))
    throw new InvalidArgumentError('Pass a folder within the output folder, such as config/crd.');
  return { ...previous, [known]: folder };
}
