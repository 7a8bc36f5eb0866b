import { notAcceptable } from '../errors/status-error.js';

/** The form a reply is wanted in. */
export interface Representation {
  readonly as: 'object' | 'table' | 'partial';
  /** Of a table or of metadata alone. */
  readonly metaVersion: MetaVersion;
  readonly format: Format;
  readonly isPretty: boolean;
}

/** Two names of the same; clients of old ask for the second. */
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
type Format = 'json' | 'yaml' | 'protobuf';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TEXTUAL = ['application/json', 'application/yaml'];
const FORMATS = new Map<string, Format>([
  ['', 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  [PROTOBUF, 'protobuf'],
]);
const PRETTY_AGENTS = /^(curl|Wget|Mozilla)/;

/**
 * Picks what the Accept header asks for first among what there is.
 *
 * @param isProtobuf whether the whole object has a form in protobuf; metadata alone always has, a table never
 * @param isTable whether there is a table of it
 */
export function negotiate(
  accept: string | undefined,
  userAgent: string | undefined,
  pretty: string | null,
  isProtobuf: boolean,
  isTable = true,
): Representation {
  const isPretty = isPrettyWanted(userAgent, pretty);
  const offered = (accept ?? '').split(',').map(readRange);
  const found = offered.find((range) => range && isThere(range, isProtobuf, isTable));
  if (found) return { ...found, isPretty };
  throw notAcceptable(isProtobuf ? [...TEXTUAL, PROTOBUF] : TEXTUAL);
}

type Range = Omit<Representation, 'isPretty'>;

function readRange(range: string): Range | undefined {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => part.split('=', 2) as [string, string]));
  const [format, as] = [FORMATS.get(type), representationOf(parameters)];
  return format && as && { as, metaVersion: metaVersionOf(parameters), format };
}

function isThere({ as, format }: Range, isProtobuf: boolean, isTable: boolean): boolean {
  if (as === 'table') return isTable && format !== 'protobuf';
  return format !== 'protobuf' || isProtobuf || as === 'partial';
}

function isPrettyWanted(userAgent: string | undefined, pretty: string | null): boolean {
  return pretty === null ? PRETTY_AGENTS.test(userAgent ?? '') : pretty !== 'false' && pretty !== '0';
}

function representationOf(parameters: ReadonlyMap<string, string>): Representation['as'] | undefined {
  const as = parameters.get('as');
  if (as === undefined) return 'object';
  if (parameters.get('g') !== 'meta.k8s.io' || !/^v1(beta1)?$/.test(parameters.get('v') ?? '')) return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'partial' : undefined;
}

function metaVersionOf(parameters: ReadonlyMap<string, string>): MetaVersion {
  return parameters.get('v') === 'v1beta1' ? 'meta.k8s.io/v1beta1' : 'meta.k8s.io/v1';
}
