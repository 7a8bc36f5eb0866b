import type { ApiObject, JsonObject } from '../../object.js';
import { builtinCodec } from '../../resources/builtin-codec.js';
import type { Registry } from '../../registry/registry.js';
import type { WriteOptions } from '../../registry/write-options.js';
import type { Resource } from '../../resources/resource.js';
import { DecodeReport } from '../../schema/decode-report.js';

/** What is done to a pod by creating an object of another kind under it: a Binding, an Eviction. */
export class PodAction {
  private readonly codec;

  constructor(
    private readonly subresource: string,
    private readonly kind: string,
    private readonly apiVersion: string,
    struct: string,
  ) {
    this.codec = builtinCodec({ struct, apiVersion, kind, applyDefaults: undefined });
  }

  decode(value: JsonObject, namespace: string): ApiObject {
    const object = this.codec.decode(value, new DecodeReport());
    return { ...object, metadata: { ...object.metadata, namespace } };
  }

  /** The object as admission leaves it. */
  admit(registry: Registry, pods: Resource, object: ApiObject, options: WriteOptions): ApiObject {
    options.calls?.startFrom(0);
    const { admission } = registry;
    const resource = this.under(pods);
    const request = { ...options, operation: 'CREATE', resource, subresource: this.subresource } as const;
    const admitted = admission.mutate({ ...request, object });
    admission.validate({ ...request, object: admitted });
    return admitted;
  }

  /** Pods as if they were of the action's kind. */
  private under(pods: Resource): Resource {
    const own: Partial<Resource> = { kind: this.kind, apiVersion: this.apiVersion, codec: this.codec };
    const values = Object.entries(own).map(([key, value]) => [key, { value, enumerable: true }]);
    return Object.create(pods, Object.fromEntries(values) as PropertyDescriptorMap) as Resource;
  }
}
