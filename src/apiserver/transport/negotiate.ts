import { notAcceptable } from '../errors/status-error.js';

/** The form a reply is wanted in. */
export interface Representation {
  readonly as: 'object' | 'table' | 'partial';
  readonly format: Format;
  readonly isPretty: boolean;
}

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
 */
export function negotiate(
  accept: string | undefined,
  userAgent: string | undefined,
  pretty: string | null,
  isProtobuf: boolean,
): Representation {
  const isPretty = isPrettyWanted(userAgent, pretty);
  const inProtobuf = new Set<Representation['as']>(isProtobuf ? ['object', 'partial'] : ['partial']);
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...rest] = range.split(';').map((part) => part.trim());
    const format = FORMATS.get(type);
    const as = representationOf(new Map(rest.map((part) => part.split('=', 2) as [string, string])));
    if (format && as && (format !== 'protobuf' || inProtobuf.has(as))) return { as, format, isPretty };
  }
  throw notAcceptable(isProtobuf ? [...TEXTUAL, PROTOBUF] : TEXTUAL);
}

function isPrettyWanted(userAgent: string | undefined, pretty: string | null): boolean {
  return pretty === null ? PRETTY_AGENTS.test(userAgent ?? '') : pretty !== 'false' && pretty !== '0';
}

function representationOf(parameters: ReadonlyMap<string, string>): Representation['as'] | undefined {
  const as = parameters.get('as');
  if (as === undefined) return 'object';
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'partial' : undefined;
}
