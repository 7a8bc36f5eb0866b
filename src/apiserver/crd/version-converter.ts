import { CallPending, type RemoteCalls } from '../remote/remote-calls.js';
import type { ApiObject } from '../objects/api-object.js';
import type { WebhookConversion } from './webhook-conversion.js';

type Converted =
  | { readonly object: ApiObject }
  /** With all objects of the call, of which one or more may be the cause. */
  | { readonly error: unknown; readonly objects: readonly ApiObject[] };

/** Converts stored objects to one version with a webhook. Results are cached, as stored objects never change. */
export class VersionConverter {
  private readonly converted = new WeakMap<ApiObject, Converted>();

  constructor(
    private readonly conversion: WebhookConversion,
    private readonly apiVersion: string,
    private readonly storedVersion: string,
    /** Drops fields that the version's schema lacks; defaults of the storage version have been set before. */
    private readonly prune: (object: ApiObject) => ApiObject,
  ) {}

  /**
   * Returns the stored object in the version.
   * @throws CallPending when it has not been converted yet
   */
  fromStorage(object: ApiObject): ApiObject {
    if (object.apiVersion === this.apiVersion) return object;
    const known = this.converted.get(object);
    if (!known) throw new CallPending(this.prepare([object]));
    if ('object' in known) return known.object;
    for (const each of known.objects) this.converted.delete(each); // the next read calls the webhook again
    throw known.error;
  }

  toStorage(object: ApiObject, calls: RemoteCalls | undefined): ApiObject {
    if (object.apiVersion === this.storedVersion) return object;
    if (!calls)
      throw new Error(
        `${object.kind} ${object.metadata.name} cannot be converted: this operation cannot wait for the conversion webhook`,
      );
    const [converted = object] = calls.result('toStorage', () => this.conversion.convert([object], this.storedVersion));
    return converted;
  }

  /** Converts objects with one call. Never rejects. */
  async prepare(objects: readonly ApiObject[]): Promise<void> {
    const others = objects.filter(({ apiVersion }) => apiVersion !== this.apiVersion);
    for (const [, missing] of Map.groupBy(
      others.filter((object) => !this.converted.has(object)),
      ({ apiVersion }) => apiVersion,
    )) {
      await this.convertAll(missing);
    }
  }

  private async convertAll(objects: readonly ApiObject[]): Promise<void> {
    try {
      const converted = await this.conversion.convert(objects, this.apiVersion);
      objects.forEach((object, index) => {
        this.converted.set(object, { object: this.prune(converted[index] ?? object) });
      });
    } catch (error) {
      for (const object of objects) this.converted.set(object, { error, objects });
    }
  }
}
