import { notAcceptable } from '../../errors/status-error.js';
import { parseAccept, type AcceptClause } from './accept-header.js';

/** The negotiated representation of a response. */
export interface Representation {
  readonly as: 'object' | 'table' | 'partial';
  /** True if a list of metadata was requested. */
  readonly isPartialList: boolean;
  /** The version of tables and of metadata-only objects. */
  readonly metaVersion: MetaVersion;
  readonly format: Format;
  readonly isPretty: boolean;
}

/** Versions with the same schema; older clients request the second. */
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
type Format = 'json' | 'yaml' | 'protobuf';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** The media types of all responses. */
export const MEDIA_TYPES = ['application/json', 'application/yaml', PROTOBUF];
const FORMATS: readonly (readonly [string, Format])[] = [
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['vnd.kubernetes.protobuf', 'protobuf'],
];
const PRETTY_AGENTS = /^(curl|Wget|Mozilla\/5\.0)/;
const TRUE = ['1', 't', 'T', 'true', 'True', 'TRUE'];

/** The representations that a response supports. */
export interface SupportedRepresentations {
  /** True if the complete object can be encoded as protobuf; metadata always can, tables never. */
  readonly hasProtobuf: boolean;
  /** True if the response can be shown as a table. */
  readonly hasTable: boolean;
  /** True if the response supports neither tables nor metadata-only forms. */
  readonly isWhole?: boolean;
}

/** The preferences of a client in headers and query. */
export interface AcceptOptions {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly pretty?: string | null;
}

/**
 * Returns the client's most preferred representation that is supported.
 * @throws StatusError 406 when none is
 */
export function negotiate(options: AcceptOptions, offer: SupportedRepresentations): Representation {
  const clauses = parseAccept(options.accept === undefined || options.accept === '' ? '*/*' : options.accept);
  for (const clause of clauses) {
    for (const [subtype, format] of FORMATS) {
      const found = isOf(clause, subtype) ? representationOf(clause.parameters, format, offer) : undefined;
      if (found) return { ...found, isPretty: found.isPretty || isPrettyWanted(options) };
    }
  }
  throw notAcceptable(MEDIA_TYPES);
}

function isOf({ type, subtype }: AcceptClause, offered: string): boolean {
  if (type === '*') return subtype === '*';
  return type === 'application' && (subtype === offered || subtype === '*');
}

type Parameters = AcceptClause['parameters'];

function representationOf(
  parameters: Parameters,
  format: Format,
  offer: SupportedRepresentations,
): Representation | undefined {
  if (!isServed(parameters, format)) return undefined;
  const isConverted = ['as', 'g', 'v'].some((name) => parameters.has(name));
  const as = isConverted ? convertedTo(parameters) : 'object';
  if (!as || !isThere(as, format, offer)) return undefined;
  return {
    as,
    isPartialList: parameters.get('as') === 'PartialObjectMetadataList',
    metaVersion: parameters.get('v') === 'v1beta1' ? 'meta.k8s.io/v1beta1' : 'meta.k8s.io/v1',
    format,
    isPretty: parameters.get('pretty') === '1',
  };
}

/** Returns whether the stream and server version parameters are supported; YAML cannot be streamed. */
function isServed(parameters: Parameters, format: Format): boolean {
  const stream = parameters.get('stream');
  const isStreamed = stream === undefined || (stream === 'watch' && format !== 'yaml');
  return isStreamed && (parameters.get('sv') ?? 'v1') === 'v1';
}

function convertedTo(parameters: Parameters): Representation['as'] | undefined {
  if (parameters.get('g') !== 'meta.k8s.io' || !/^v1(beta1)?$/.test(parameters.get('v') ?? '')) return undefined;
  const kind = parameters.get('as');
  if (kind === 'Table') return 'table';
  return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList' ? 'partial' : undefined;
}

function isThere(
  as: Representation['as'],
  format: Format,
  { hasProtobuf, hasTable, isWhole }: SupportedRepresentations,
): boolean {
  if (as === 'object') return format !== 'protobuf' || hasProtobuf;
  if (isWhole === true) return false;
  return as === 'partial' || (hasTable && format !== 'protobuf');
}

/**
 * Returns whether to indent the response. Without the parameter it depends on the client; invalid booleans count as
 * false.
 */
function isPrettyWanted({ userAgent = '', pretty }: AcceptOptions): boolean {
  if (pretty === undefined || pretty === null || pretty === '') return PRETTY_AGENTS.test(userAgent);
  return TRUE.includes(pretty);
}
