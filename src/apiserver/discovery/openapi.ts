import { createHash } from 'node:crypto';
import { kubernetesData } from '../data/data-file.js';
import type { JsonObject } from '../objects/api-object.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { parseAccept, type AcceptClause } from '../transport/response/accept-header.js';
import { compressedOutcome, contentOutcome } from '../transport/response/content.js';
import type { Outcome } from '../transport/response/outcome.js';
import { builtInDocument, customDocument, customDocumentObject, type OpenApiFormat } from './openapi-document.js';
import type { PublishedVersion } from './published-version.js';
import { swaggerJson, swaggerProto } from './swagger-document.js';

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** The two forms of /openapi/v2, built on demand. */
interface Swagger {
  readonly versions: readonly PublishedVersion[];
  readonly json?: Promise<Buffer>;
  readonly protobuf?: Promise<Buffer>;
}

interface OpenApiOptions {
  /** Returns the versions of custom resources in the order of their names; the same list until one changes. */
  readonly custom: () => readonly PublishedVersion[];
  /** Returns the index entries of other servers' OpenAPI v3 documents. */
  readonly remotePaths: () => Readonly<Record<string, JsonObject>>;
  readonly now: () => number;
}

/**
 * Serves /openapi/v2 and /openapi/v3. The parts of a custom resource are built on the first request that needs them, and
 * kept until its definition changes.
 */
export class OpenApi {
  private readonly modified = new Map<string, { readonly etag: string; readonly ms: number }>();
  private swagger: Swagger = { versions: [] };

  constructor(private readonly options: OpenApiOptions) {}

  /** Returns the response to a path; undefined if it is not one of a document. */
  serve(path: string, request: ApiRequest): Outcome | Promise<Outcome> | undefined {
    if (path === '/openapi/v2') return this.serveSwagger(request);
    if (path === '/openapi/v3') return this.serveIndex(request);
    return path.startsWith('/openapi/v3/') ? this.serveDocument(path.slice('/openapi/v3/'.length), request) : undefined;
  }

  /** Returns the v3 document of a version: `api/v1`, `apis/apps/v1`. */
  document(name: string): JsonObject | undefined {
    const versions = this.customVersions(name);
    if (versions.length === 0) return kubernetesData.openApi.v3[name];
    return customDocumentObject(versions);
  }

  private async serveSwagger(request: ApiRequest): Promise<Outcome> {
    const format = formatOf(request, 'v2');
    const headers = { Vary: 'Accept-Encoding, Accept' };
    if (!format) return notAcceptable(headers);
    const versions = this.options.custom();
    if (this.swagger.versions !== versions) this.swagger = { versions };
    const build = format === 'json' ? swaggerJson : swaggerProto;
    const body = this.swagger[format] ?? build(versions);
    this.swagger = { ...this.swagger, [format]: body };
    const etag = hashOf('v2', versions);
    const bytes = await body;
    const modifiedMs = this.modifiedMs('v2', etag);
    return compressedOutcome(request, { bytes, contentType: contentTypeOf(format, 'v2'), etag, modifiedMs, headers });
  }

  private serveIndex(request: ApiRequest): Outcome {
    const names = new Set([
      ...Object.keys(kubernetesData.openApi.v3),
      ...this.options.custom().map(({ document }) => document),
    ]);
    const paths: JsonObject = {};
    for (const name of names) paths[name] = { serverRelativeURL: this.urlOf(name) };
    const text = JSON.stringify({ paths: { ...paths, ...this.options.remotePaths() } });
    const modifiedMs = this.modifiedMs('v3', text);
    // The aggregator sends neither an ETag nor the type of the document.
    return contentOutcome(request, { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8', modifiedMs });
  }

  private serveDocument(name: string, request: ApiRequest): Promise<Outcome> | undefined {
    const versions = this.customVersions(name);
    const isBuiltIn = Object.hasOwn(kubernetesData.openApi.v3, name);
    return versions.length > 0 || isBuiltIn ? this.serveVersions(name, versions, request) : undefined;
  }

  private async serveVersions(
    name: string,
    versions: readonly PublishedVersion[],
    request: ApiRequest,
  ): Promise<Outcome> {
    const vary = { Vary: 'Accept' };
    const format = formatOf(request, 'v3');
    if (!format) return notAcceptable(vary);
    const etag = hashOf(name, versions);
    const hash = request.query.get('hash') ?? '';
    const contentType = contentTypeOf(format, 'v3');
    if (hash !== '' && hash !== etag) {
      const headers = { ...vary, ETag: `"${etag}"`, Location: this.urlOf(name) };
      return { type: 'text', code: 301, contentType, body: '', headers };
    }
    const expires = new Date(this.options.now() + YEAR_MS).toUTCString().replace('GMT', 'UTC');
    const headers = { ...vary, ...(hash !== '' && { 'Cache-Control': 'public, immutable', Expires: expires }) };
    const bytes = versions.length === 0 ? builtInDocument(name, format) : await customDocument(versions, format);
    return contentOutcome(request, { bytes, contentType, etag, modifiedMs: this.modifiedMs(name, etag), headers });
  }

  private customVersions(name: string): PublishedVersion[] {
    return this.options.custom().filter(({ document }) => document === name);
  }

  private urlOf(name: string): string {
    return `/openapi/v3/${name}?hash=${hashOf(name, this.customVersions(name))}`;
  }

  /** Returns when the content of a document changed, to the knowledge of its readers. */
  private modifiedMs(name: string, etag: string): number {
    let known = this.modified.get(name);
    if (known?.etag !== etag) this.modified.set(name, (known = { etag, ms: this.options.now() }));
    return known.ms;
  }
}

/** Returns a hash of the revisions that a document consists of. */
function hashOf(name: string, versions: readonly PublishedVersion[]): string {
  const { gitVersion } = kubernetesData.resources.version;
  const revisions = versions.map(({ revision }) => revision);
  return createHash('sha512')
    .update(JSON.stringify([gitVersion, name, revisions]))
    .digest('hex')
    .toUpperCase();
}

function contentTypeOf(format: OpenApiFormat, openApi: 'v2' | 'v3'): string {
  return format === 'json' ? 'application/json' : `application/com.github.proto-openapi.spec.${openApi}.v1.0+protobuf`;
}

/** Returns the format that a client prefers; undefined if it accepts none. */
function formatOf({ message }: ApiRequest, openApi: 'v2' | 'v3'): OpenApiFormat | undefined {
  const clauses = parseAccept(message.headers.accept || '*/*');
  return clauses.map((clause) => formatIn(clause, openApi)).find((format) => format !== undefined);
}

function formatIn({ type, subtype }: AcceptClause, openApi: 'v2' | 'v3'): OpenApiFormat | undefined {
  if (type !== 'application' && type !== '*') return undefined;
  if (subtype === 'json' || subtype === '*') return 'json';
  const isProtobuf = /^com\.github\.proto-openapi\.spec\.(v[23])[.@]v1\.0\+protobuf$/.exec(subtype);
  return isProtobuf?.[1] === openApi ? 'protobuf' : undefined;
}

function notAcceptable(headers: Readonly<Record<string, string>>): Outcome {
  return { type: 'text', code: 406, contentType: '', body: '', headers };
}
