import type { ApiObject, JsonObject } from '../../../objects/api-object.js';
import { builtinCodec } from '../../../builtin/builtin-codec.js';
import type { Registry } from '../../../registry/registry.js';
import type { WriteOptions } from '../../../registry/write-options.js';
import type { Resource } from '../../../resources/resource.js';
import { DecodeReport } from '../../../schema/decode-report.js';
import type { Decodable } from '../../request/decode-body.js';

/** An action on a pod that is requested by creating an object of another kind under it: a Binding, an Eviction. */
export class PodAction implements Decodable {
  readonly version = 'v1';
  readonly isCustom = false;
  readonly codec;

  constructor(
    private readonly subresource: string,
    readonly kind: string,
    readonly apiVersion: string,
    struct: string,
    readonly formerVersions: readonly string[] = [],
  ) {
    this.codec = builtinCodec({ struct, apiVersion, kind, applyDefaults: undefined });
  }

  decode(value: JsonObject, namespace: string): ApiObject {
    const object = this.codec.decode(value, new DecodeReport());
    return { ...object, metadata: { ...object.metadata, namespace } };
  }

  /** Returns the object after admission. */
  admit(registry: Registry, pods: Resource, object: ApiObject, options: WriteOptions): ApiObject {
    return admitCreation(registry, this.under(pods), object, { ...options, subresource: this.subresource });
  }

  /** Returns the resource of pods with the kind of the action. */
  private under(pods: Resource): Resource {
    const own: Partial<Resource> = { kind: this.kind, apiVersion: this.apiVersion, codec: this.codec };
    const values = Object.entries(own).map(([key, value]) => [key, { value, enumerable: true }]);
    return Object.create(pods, Object.fromEntries(values) as PropertyDescriptorMap) as Resource;
  }
}

/** Runs admission for an object that is not stored, and returns the result. */
export function admitCreation(
  { admission }: Registry,
  resource: Resource,
  object: ApiObject,
  options: WriteOptions & { readonly subresource?: string },
): ApiObject {
  options.calls?.startFrom(0);
  const request = { subresource: '', ...options, operation: 'CREATE', resource } as const;
  const admitted = admission.mutate({ ...request, object });
  admission.validate({ ...request, object: admitted });
  return admitted;
}
