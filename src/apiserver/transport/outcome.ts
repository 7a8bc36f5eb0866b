import type { ServerResponse } from 'node:http';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { TableColumn } from '../table/table-column.js';

/** What a handler hands back for the responder to put into the wanted form. */
export type Outcome =
  /** An object of a resource; JSON that is already made is reused. */
  | { readonly k: 'object'; readonly code: number; readonly resource: Resource; readonly stored: StoredObject }
  | {
      readonly k: 'list';
      readonly resource: Resource;
      readonly items: readonly StoredObject[];
      readonly metadata: JsonObject;
    }
  /** Any JSON, as it is. */
  | {
      readonly k: 'json';
      readonly code: number;
      readonly body: unknown;
      /** Of an object that is not stored but has metadata of its own. */
      readonly goType?: string;
      readonly columns?: readonly TableColumn[];
    }
  /** Any JSON of a resource that is not stored: Scale, reviews, Status. */
  | {
      readonly k: 'text';
      readonly code: number;
      readonly contentType: string;
      readonly body: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The handler writes the response itself. */
  | { readonly k: 'stream'; start(response: ServerResponse): void };

export function json(code: number, body: unknown, goType?: string): Outcome {
  return { k: 'json', code, body, ...(goType !== undefined && { goType }) };
}

/** An object that comes from the store, in the resource's own version. */
export function objectIn(resource: Resource, stored: StoredObject): ApiObject {
  return resource.codec.fromStorage(stored.object);
}
