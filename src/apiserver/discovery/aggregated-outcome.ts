import { createHash } from 'node:crypto';
import { stringifyYaml } from '../../base/yaml.js';
import type { JsonObject } from '../objects/api-object.js';
import { envelope } from '../schema/protobuf-encoder.js';
import { parseAccept, type AcceptClause } from '../transport/response/accept-header.js';
import type { Outcome } from '../transport/response/outcome.js';
import { discoveryMessages } from './discovery-messages.js';

const PARAMETERS = { g: 'apidiscovery.k8s.io', v: 'v2', as: 'APIGroupDiscoveryList' };
const SUBTYPES = ['json', 'yaml', 'vnd.kubernetes.protobuf'] as const;

type Subtype = (typeof SUBTYPES)[number];

/** Returns the subtype of aggregated discovery that a client prefers; undefined if it prefers the list of groups. */
export function aggregatedSubtype(accept: string): Subtype | undefined {
  for (const clause of parseAccept(accept)) {
    const subtype = subtypeOf(clause);
    if (!subtype) continue;
    const names = Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[];
    if (names.every((name) => !clause.parameters.has(name))) return undefined;
    if (names.every((name) => clause.parameters.get(name) === PARAMETERS[name])) return subtype;
  }
  return undefined;
}

function subtypeOf({ type, subtype }: AcceptClause): Subtype | undefined {
  if (type !== 'application' && type !== '*') return undefined;
  return subtype === '*' ? 'json' : SUBTYPES.find((known) => known === subtype);
}

/**
 * Responds with aggregated discovery, or with 304 if the client has it.
 * @param known the If-None-Match header
 */
export function aggregatedOutcome(items: readonly JsonObject[], subtype: Subtype, known: string | undefined): Outcome {
  const list = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  const text = JSON.stringify(list);
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
  const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
  if (known === etag) return { type: 'text', code: 304, contentType: '', body: '', headers };
  const parameters = Object.entries(PARAMETERS).map(([name, value]) => `;${name}=${value}`);
  const contentType = `application/${subtype}${parameters.join('')}`;
  return { type: 'text', code: 200, contentType, body: encoded(list, text, subtype), headers, isCompressible: true };
}

function encoded(list: JsonObject, text: string, subtype: Subtype): string | Buffer {
  if (subtype === 'json') return text;
  if (subtype === 'yaml') return stringifyYaml(JSON.parse(text));
  return envelope(list, discoveryMessages.encode('APIGroupDiscoveryList', list));
}
