import { notAcceptable } from '../../errors/status-error.js';
import { parseAccept, type AcceptClause } from './accept-header.js';

/** The form a reply is wanted in. */
export interface Representation {
  readonly as: 'object' | 'table' | 'partial';
  /** Whether metadata alone is asked for of a list. */
  readonly isPartialList: boolean;
  /** Of a table or of metadata alone. */
  readonly metaVersion: MetaVersion;
  readonly format: Format;
  readonly isPretty: boolean;
}

/** Two names of the same; clients of old ask for the second. */
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
type Format = 'json' | 'yaml' | 'protobuf';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** All that any answer is written in. */
export const MEDIA_TYPES = ['application/json', 'application/yaml', PROTOBUF];
const FORMATS: readonly (readonly [string, Format])[] = [
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['vnd.kubernetes.protobuf', 'protobuf'],
];
const PRETTY_AGENTS = /^(curl|Wget|Mozilla\/5\.0)/;
const TRUE = ['1', 't', 'T', 'true', 'True', 'TRUE'];

/** The forms there are of an answer. */
export interface SupportedRepresentations {
  /** Whether the whole object has a form in protobuf; metadata alone always has, a table never. */
  readonly hasProtobuf: boolean;
  /** Whether there is a table of it. */
  readonly hasTable: boolean;
  /** Whether it comes in no other form than its own. */
  readonly isWhole?: boolean;
}

/** How clients say what they want besides the media type. */
export interface AcceptOptions {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly pretty?: string | null;
}

/**
 * Picks what the Accept header asks for first among what there is.
 *
 * @throws StatusError when there is nothing of it.
 */
export function negotiate(wish: AcceptOptions, offer: SupportedRepresentations): Representation {
  const clauses = parseAccept(wish.accept === undefined || wish.accept === '' ? '*/*' : wish.accept);
  for (const clause of clauses) {
    for (const [subtype, format] of FORMATS) {
      const found = isOf(clause, subtype) ? representationOf(clause.parameters, format, offer) : undefined;
      if (found) return { ...found, isPretty: found.isPretty || isPrettyWanted(wish) };
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

/** Whether the schema of streams and the version of the server are ones there are; YAML has no streams. */
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

/** What is no boolean counts as false; nothing leaves it to the client. */
function isPrettyWanted({ userAgent = '', pretty }: AcceptOptions): boolean {
  if (pretty === undefined || pretty === null || pretty === '') return PRETTY_AGENTS.test(userAgent);
  return TRUE.includes(pretty);
}
