import { CallPending, type RemoteCalls } from '../remote/remote-calls.js';
import type { ApiObject } from '../objects/api-object.js';
import type { WebhookConversion } from './webhook-conversion.js';

type Converted = { readonly object: ApiObject } | { readonly error: unknown };

/** Brings stored objects into one version by a webhook, each once: a stored object never changes. */
export class VersionConverter {
  private readonly converted = new WeakMap<ApiObject, Converted>();

  constructor(
    private readonly conversion: WebhookConversion,
    private readonly apiVersion: string,
    private readonly storedVersion: string,
    /** Drops what the version's schema does not have; defaults are those of the stored version, set before. */
    private readonly prune: (object: ApiObject) => ApiObject,
  ) {}

  /** The stored object in the version; throws `CallPending` when it has yet to be converted. */
  fromStorage(object: ApiObject): ApiObject {
    if (object.apiVersion === this.apiVersion) return object;
    const known = this.converted.get(object);
    if (!known) throw new CallPending(this.prepare([object]));
    if ('object' in known) return known.object;
    this.converted.delete(object); // whoever asks next has the webhook asked anew
    throw known.error;
  }

  toStorage(object: ApiObject, calls: RemoteCalls | undefined): ApiObject {
    if (object.apiVersion === this.storedVersion) return object;
    if (!calls) throw new Error(`${object.kind} ${object.metadata.name} cannot be converted here: nothing can wait`);
    const [converted = object] = calls.result('toStorage', () => this.conversion.convert([object], this.storedVersion));
    return converted;
  }

  /** Converts many with one call. Never rejects. */
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
      for (const object of objects) this.converted.set(object, { error });
    }
  }
}
