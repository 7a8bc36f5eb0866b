import type { ServerResponse } from 'node:http';
import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { StoredObject } from '../../storage/stored-object.js';
import type { TableColumn } from '../../table/table-column.js';

/** The result of a handler; the responder encodes it in the requested media type. */
export type Outcome =
  /** An object of a resource; the JSON of the stored version is reused. */
  | { readonly type: 'object'; readonly code: number; readonly resource: Resource; readonly stored: StoredObject }
  | {
      readonly type: 'list';
      readonly resource: Resource;
      readonly items: readonly StoredObject[];
      readonly metadata: JsonObject;
    }
  /** A JSON value that is not stored. */
  | {
      readonly type: 'json';
      readonly code: number;
      readonly body: unknown;
      /** The Go type for protobuf. */
      readonly goType?: string;
      readonly columns?: readonly TableColumn[];
    }
  /** A body that is sent unchanged. */
  | {
      readonly type: 'text';
      readonly code: number;
      readonly contentType: string;
      readonly body: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
      /** True if a long body is compressed for clients that accept gzip, like the body of an object. */
      readonly isCompressible?: boolean;
    }
  /** The handler writes the response itself. */
  | { readonly type: 'stream'; start(response: ServerResponse): void };

export function json(code: number, body: unknown, goType?: string): Outcome {
  return { type: 'json', code, body, ...(goType !== undefined && { goType }) };
}

/** Returns a stored object in the version of the resource. */
export function objectIn(resource: Resource, stored: StoredObject): ApiObject {
  return resource.codec.fromStorage(stored.object);
}

/** The 404 of Go's HTTP server, for paths outside the API. */
export function textNotFound(): Outcome {
  return {
    type: 'text',
    code: 404,
    contentType: 'text/plain; charset=utf-8',
    body: '404 page not found\n',
    headers: { 'X-Content-Type-Options': 'nosniff' },
  };
}
