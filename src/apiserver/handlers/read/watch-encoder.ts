import { stringifyJson } from '../../../base/json.js';
import type { JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { watchFrame } from '../../schema/protobuf-encoder.js';
import type { EventType, StoredObject } from '../../storage/stored-object.js';
import { partial, toTable, type IncludeObject } from '../../table/table.js';
import { objectJson } from '../../transport/response/encode-object.js';
import { encodeStatus, encodeStored } from '../../transport/response/encode-protobuf.js';
import { PROTOBUF, type Representation } from '../../transport/response/negotiate.js';

/** Encodes the events of one watch in the negotiated format: lines of JSON or frames of protobuf. */
export class WatchEncoder {
  readonly contentType: string;
  /**
   * Identifies the format; watches of the same format share encoded events. Undefined for tables: only the first one
   * has columns.
   */
  readonly form: string | undefined;
  private isFirstTable = true;

  constructor(
    private readonly resource: Resource,
    private readonly representation: Representation,
    private readonly include: IncludeObject,
    private readonly nowMs: () => number,
  ) {
    const { as, metaVersion, format } = representation;
    this.contentType = format === 'protobuf' ? `${PROTOBUF};stream=watch` : 'application/json';
    this.form = as === 'table' ? undefined : `${resource.apiVersion}/${as}/${metaVersion}/${format}`;
  }

  event(type: EventType | 'BOOKMARK', stored: StoredObject): Buffer {
    if (this.representation.format === 'protobuf')
      return watchFrame(type, encodeStored(this.resource, stored, this.representation));
    return line(type, this.json(stored));
  }

  error(status: JsonObject): Buffer {
    if (this.representation.format === 'protobuf') return watchFrame('ERROR', encodeStatus(status));
    return line('ERROR', stringifyJson(status));
  }

  private json(stored: StoredObject): string {
    const { as, metaVersion } = this.representation;
    if (as === 'object') return objectJson(this.resource, stored);
    return stringifyJson(as === 'table' ? this.table(stored) : partial(metaVersion, stored.object));
  }

  private table(stored: StoredObject): JsonObject {
    const { metaVersion } = this.representation;
    const object = this.resource.codec.fromStorage(stored.object);
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const table = toTable(metaVersion, this.resource.columns, [object], metadata, this.include, this.nowMs());
    if (!this.isFirstTable) table.columnDefinitions = null;
    this.isFirstTable = false;
    return table;
  }
}

function line(type: string, object: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${object}}\n`);
}
