import { goQuoted } from '../../../base/go-quoted.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzip } from 'node:zlib';
import { stringifyJson } from '../../../base/json.js';
import { stringifyYaml } from '../../../base/yaml.js';
import { badRequest, StatusError } from '../../errors/status-error.js';
import { isJsonObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { internalPackage } from '../../schema/go-package.js';
import type { TableColumn } from '../../table/table-column.js';
import { partial, toTable, type IncludeObject } from '../../table/table.js';
import type { ApiRequest } from '../request/api-request.js';
import { acceptsGzip } from './content.js';
import { listItemJson, objectJson } from './encode-object.js';
import { encodeOutcome, hasProtobuf } from './encode-protobuf.js';
import { negotiate, PROTOBUF, type MetaVersion, type Representation, type AcceptOptions } from './negotiate.js';
import { json, objectIn, type Outcome } from './outcome.js';
import { warningHeaders } from './warning-headers.js';

const NOT_MODIFIED = 304;
const UNCOMPRESSED_BYTES = 128 * 1024;

/** A body with its headers. */
type Body = Omit<Extract<Outcome, { type: 'text' }>, 'type'>;

/** Writes an outcome in the requested representation. */
export function respond(response: ServerResponse, request: ApiRequest, outcome: Outcome, nowMs: number): void {
  const warnings = warningHeaders(request.warnings);
  if (warnings.length > 0) response.setHeader('Warning', warnings);
  if (outcome.type === 'stream') {
    outcome.start(response);
    return;
  }
  if (outcome.type === 'text') {
    if (outcome.isCompressible) sendCompressed(response, request, outcome);
    else send(response, outcome.code, outcome.contentType, outcome.body, outcome.headers);
    return;
  }
  const isWhole = outcome.type === 'json' && outcome.code >= 400;
  const offer = { hasProtobuf: hasProtobuf(outcome), hasTable: hasTable(outcome), isWhole };
  const representation = negotiate(acceptOptionsOf(request), offer);
  const code = outcome.type === 'list' ? 200 : outcome.code;
  assertListForm(outcome, representation);
  const sendLong = (contentType: string, body: string | Buffer): void => {
    sendCompressed(response, request, { code, contentType, body });
  };
  if (representation.format === 'protobuf') {
    sendLong(PROTOBUF, encodeOutcome(outcome, metadataOf(outcome), representation));
    return;
  }
  const text = encode(request, outcome, representation, nowMs);
  if (representation.format === 'yaml') sendLong('application/yaml', stringifyYaml(JSON.parse(text)));
  else sendLong('application/json', representation.isPretty ? prettify(text) : `${text}\n`);
}

/** Checks that the requested metadata form matches the outcome, single object or list; a Status is always accepted. */
function assertListForm(
  outcome: Exclude<Outcome, { type: 'stream' } | { type: 'text' }>,
  { as, isPartialList }: Representation,
): void {
  if (as !== 'partial' || isPartialList === (outcome.type === 'list')) return;
  if (outcome.type === 'json') {
    if (outcome.goType !== undefined) throw notInForm('PartialObjectMetadataList', 'not a list', outcome.goType);
    return;
  }
  const { isCustom, apiVersion, kind, listKind } = outcome.resource;
  if (isCustom && isPartialList) throw new StatusError(500, '', 'content is not a list');
  const [name, what] = isPartialList ? [kind, 'not a list'] : [listKind, 'a list'];
  const type = isCustom ? 'unstructured.UnstructuredList' : `${internalPackage(apiVersion)}.${name}`;
  const wanted = isPartialList ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  throw notInForm(wanted, what, type);
}

function notInForm(wanted: string, what: string, type: string): StatusError {
  const why = `you requested ${wanted}, but the requested object is ${what} (*${type})`;
  return new StatusError(406, 'NotAcceptable', why);
}

/** Returns the content negotiation preferences of a request. */
export function acceptOptionsOf({ message: { headers }, query }: ApiRequest): AcceptOptions {
  return { accept: headers.accept, userAgent: headers['user-agent'], pretty: query.get('pretty') };
}

/** Writes an error in the requested representation, or in JSON if that is not supported. */
export function respondError(response: ServerResponse, request: ApiRequest, error: StatusError, nowMs: number): void {
  const outcome = json(error.code, error.toStatus());
  try {
    respond(response, request, outcome, nowMs);
  } catch {
    const headers = { ...request.message.headers, accept: 'application/json' };
    const message = Object.assign(Object.create(request.message) as IncomingMessage, { headers });
    respond(response, { ...request, message }, outcome, nowMs);
  }
}

/** Returns whether an outcome has a table form; reviews, tokens, bindings and Status do not. */
function hasTable(outcome: Exclude<Outcome, { type: 'stream' } | { type: 'text' }>): boolean {
  return outcome.type !== 'json' || outcome.code !== 201;
}

function prettify(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

/** Compresses long bodies for clients that accept gzip, as fast as zlib can: responsewriters of apiserver. */
function sendCompressed(
  response: ServerResponse,
  request: ApiRequest,
  { code, contentType, body, headers = {} }: Body,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= UNCOMPRESSED_BYTES || !acceptsGzip(request)) {
    send(response, code, contentType, bytes, headers);
    return;
  }
  const vary = [headers['Vary'] ?? [], 'Accept-Encoding'].flat().join(', ');
  gzip(bytes, { level: constants.Z_BEST_SPEED }, (error, compressed) => {
    if (error) response.destroy(error);
    else send(response, code, contentType, compressed, { ...headers, 'Content-Encoding': 'gzip', Vary: vary });
  });
}

function send(
  response: ServerResponse,
  code: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(code, {
    'Cache-Control': 'no-cache, private',
    ...(contentType !== '' && { 'Content-Type': contentType }),
    ...(code !== NOT_MODIFIED && { 'Content-Length': bytes.length }),
    ...headers,
  });
  response.end(bytes);
}

function encode(
  request: ApiRequest,
  outcome: Exclude<Outcome, { type: 'stream' } | { type: 'text' }>,
  { as, metaVersion }: Representation,
  nowMs: number,
): string {
  const metadata = metadataOf(outcome);
  const table = (columns: readonly TableColumn[], objects: readonly ApiObject[]): string =>
    stringifyJson(toTable(metaVersion, columns, objects, metadata, includeObject(request.query), nowMs));
  if (outcome.type === 'json') {
    const { body } = outcome;
    if (as === 'table' && outcome.columns) return table(outcome.columns, [body as ApiObject]);
    return stringifyJson(as === 'partial' ? shownOf(outcome, metaVersion) : body);
  }
  const { resource } = outcome;
  const items = outcome.type === 'list' ? outcome.items : [outcome.stored];
  if (as === 'table') {
    const objects = items.map((stored) => objectIn(resource, stored));
    return table(resource.columns, objects);
  }
  if (as === 'partial') return encodePartial(outcome, metadata, metaVersion);
  if (outcome.type === 'object') return objectJson(resource, outcome.stored);
  // Lists of custom resources always have the continue field.
  const listMeta = resource.isCustom ? { continue: '', ...metadata } : metadata;
  const head = stringifyJson({ kind: resource.listKind, apiVersion: resource.apiVersion, metadata: listMeta });
  return `${head.slice(0, -1)},"items":[${items.map((stored) => listItemJson(resource, stored)).join(',')}]}`;
}

/** Returns the metadata-only form of a body; a Status is returned complete. */
function shownOf({ body, goType }: Extract<Outcome, { type: 'json' }>, metaVersion: MetaVersion): unknown {
  return goType === undefined ? body : partial(metaVersion, body as ApiObject);
}

/** Returns the list metadata for a list that contains the outcome. */
function metadataOf(outcome: Exclude<Outcome, { type: 'stream' } | { type: 'text' }>): JsonObject {
  if (outcome.type === 'list') return outcome.metadata;
  const object = outcome.type === 'json' ? outcome.body : outcome.stored.object;
  return isJsonObject(object) ? { resourceVersion: objectAt(object, 'metadata').resourceVersion } : {};
}

function encodePartial(
  outcome: Extract<Outcome, { type: 'object' | 'list' }>,
  metadata: JsonObject,
  apiVersion: MetaVersion,
): string {
  if (outcome.type === 'object') return stringifyJson(partial(apiVersion, outcome.stored.object));
  // An empty list has null items here and [] in all other representations.
  const items = outcome.items.length === 0 ? null : outcome.items.map(({ object }) => partial(apiVersion, object));
  return stringifyJson({ kind: 'PartialObjectMetadataList', apiVersion, metadata, items });
}

export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  const why = `includeObject: Invalid value: ${goQuoted(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${why}`);
}
