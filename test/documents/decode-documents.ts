import { openApiMessages } from '../../src/apiserver/discovery/openapi-messages.js';
import { swaggerMessages } from '../../src/apiserver/discovery/swagger-messages.js';
import { MessageTable } from '../../src/apiserver/schema/message-table.js';
import { isJsonObject, stringAt } from '../../src/base/json-object.js';
import { decodeMessage } from './decode-message.js';

const MAGIC_BYTES = 4;

/** Aggregated discovery in its envelope, with the fields of metadata that a server may write empty. */
const aggregated = new MessageTable({
  Unknown: 'typeMeta=1:TypeMeta raw=2:List contentEncoding=3 contentType=4',
  TypeMeta: 'apiVersion=1 kind=2',
  List: 'metadata=1:ListMeta items=2:Group[]',
  ListMeta: 'selfLink=1 resourceVersion=2 continue=3',
  Group: 'metadata=1:ObjectMeta versions=2:Version[]',
  ObjectMeta:
    'name=1 generateName=2 namespace=3 selfLink=4 uid=5 resourceVersion=6 generation=7:int creationTimestamp=8:Time',
  Time: 'seconds=1:int nanos=2:int',
  Version: 'version=1 resources=2:Resource[] freshness=3',
  Resource:
    'resource=1 responseKind=2:Kind scope=3 singularResource=4 verbs=5:string[] shortNames=6:string[] categories=7:string[] subresources=8:Subresource[]',
  Subresource: 'subresource=1 responseKind=2:Kind acceptedTypes=3:Kind[] verbs=4:string[]',
  Kind: 'group=1 version=2 kind=3',
});

/** Decodes aggregated discovery, without empty fields. */
export function decodeAggregated(bytes: Buffer): unknown {
  return withoutEmpty(decodeMessage(aggregated, 'Unknown', bytes.subarray(MAGIC_BYTES)));
}

/**
 * Decodes /openapi/v2, with named values in the order of their names. White space beside line separators is not
 * compared: the real server reads its document as YAML, where they end a line.
 */
export function decodeSwagger(bytes: Buffer): unknown {
  return folded(sorted(decodeMessage(swaggerMessages, 'Document', bytes)));
}

function folded(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\s*[\u2028\u2029]\s*/g, '\u2028');
  if (Array.isArray(value)) return value.map(folded);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, folded(member)]));
}

/** Decodes a document of OpenAPI v3, with named values in the order of their names. */
export function decodeOpenApi(bytes: Buffer): unknown {
  return sorted(decodeMessage(openApiMessages, 'Document', bytes));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || (isJsonObject(value) && Object.keys(value).length === 0);
}

function sorted(value: unknown): unknown {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.map(sorted) : value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'entries' || name === 'extensions' ? byName(member) : member]),
  );
}

function byName(list: unknown): unknown {
  return (list as unknown[]).toSorted((a, b) => (stringAt(a, 'name') < stringAt(b, 'name') ? -1 : 1));
}
