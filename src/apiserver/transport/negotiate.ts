import { notAcceptable } from '../errors/status-error.js';

/** The form a reply is wanted in. */
export interface Representation {
  readonly as: 'object' | 'table' | 'partial';
  readonly format: 'json' | 'yaml';
  readonly isPretty: boolean;
}

const ACCEPTED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const PRETTY_AGENTS = /^(curl|Wget|Mozilla)/;

/** Picks what the Accept header asks for first among what there is. */
export function negotiate(
  accept: string | undefined,
  userAgent: string | undefined,
  pretty: string | null,
): Representation {
  const isPretty = pretty === null ? PRETTY_AGENTS.test(userAgent ?? '') : pretty !== 'false' && pretty !== '0';
  if (accept === undefined || accept === '') return { as: 'object', format: 'json', isPretty };
  for (const range of accept.split(',')) {
    const [type = '', ...rest] = range.split(';').map((part) => part.trim());
    const format = formatOf(type);
    if (!format) continue;
    const as = representationOf(new Map(rest.map((part) => part.split('=', 2) as [string, string])));
    if (as) return { as, format, isPretty };
  }
  throw notAcceptable(ACCEPTED);
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

function representationOf(parameters: ReadonlyMap<string, string>): Representation['as'] | undefined {
  const as = parameters.get('as');
  if (as === undefined) return 'object';
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'partial' : undefined;
}
