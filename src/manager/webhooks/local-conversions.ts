import { apiVersionOf, resourceName, type KindRef } from '../../api/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds.js';
import { stringAt, type JsonObject } from '../../base/json-object.js';
import type { Logger } from '../../base/logger.js';
import { ApiError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { Converter } from '../../webhook/conversion-review.js';
import { sendUntilCalled } from './send-until-called.js';

/** Owns the conversion of a CustomResourceDefinition, so that other appliers of the definition leave it alone. */
const FIELD_MANAGER = 'kindwright-conversion';

/** Lets an API server on the same machine convert kinds by this process, for the time of a run. */
export class LocalConversions {
  private readonly registered: KindRef[] = [];
  private readonly unseen = new Set<string>();

  constructor(
    private readonly client: Client,
    private readonly kinds: readonly Versions[],
    private readonly logger: Logger,
  ) {}

  /** The conversions to serve. They recognize the objects with which `register` finds out whether they are called. */
  get converters(): Converter[] {
    return this.kinds.map(({ conversion }) => ({
      kind: conversion.kind,
      convert: (object: JsonObject, apiVersion: string) => {
        this.unseen.delete(stringAt(object['metadata'], 'name'));
        return conversion.convert(object, apiVersion);
      },
    }));
  }

  /** Resolves when the API server calls the conversion at `url`. */
  async register(url: string, caBundle: string, probeName: string): Promise<void> {
    const webhook = { clientConfig: { url: `${url}/convert`, caBundle }, conversionReviewVersions: ['v1'] };
    for (const { conversion, models } of this.kinds) {
      const { kind } = conversion;
      await this.apply(kind, { conversion: { strategy: 'Webhook', webhook } });
      this.registered.push(kind);
      const other = models.find((model) => model.kind.version !== kind.version && model.version.served);
      const hub = models.find((model) => model.kind.version === kind.version);
      if (other && hub?.version.served === true) await this.effective(kind, other.kind, `${probeName}-${kind.plural}`);
    }
  }

  /** Never rejects: the API server may have been stopped before. */
  async remove(): Promise<void> {
    for (const kind of this.registered.splice(0)) {
      try {
        await this.apply(kind, {});
      } catch (error) {
        this.logger.debug(`Cannot reset the conversion of ${resourceName(kind)}`, { err: error });
      }
    }
  }

  private async apply(kind: KindRef, spec: object): Promise<void> {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: resourceName(kind) },
      ...(Object.keys(spec).length > 0 && { spec }),
    };
    const options = { fieldManager: FIELD_MANAGER, force: true };
    await this.client.apply(CustomResourceDefinition, definition, options);
  }

  /**
   * Sends dry runs until one is converted. The API server converts an object to the versions of its field managers to
   * compare their fields, before it validates the object.
   */
  private async effective(kind: KindRef, other: KindRef, name: string): Promise<void> {
    const managedFields = [
      {
        manager: FIELD_MANAGER,
        operation: 'Apply',
        apiVersion: apiVersionOf(other),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:probe': {} } } },
      },
    ];
    const probe = {
      metadata: {
        name,
        managedFields,
        labels: { probe: '' },
        ...(kind.scope === 'Namespaced' && { namespace: 'default' }),
      },
    };
    this.unseen.add(name);
    const send = async () => {
      try {
        await this.client.create(kind, probe, { dryRun: true });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error; // validation may reject it
      }
    };
    const isCalled = await sendUntilCalled(send, () => !this.unseen.has(name));
    if (!isCalled) this.logger.warn(`The API server does not convert ${resourceName(kind)} by this process`);
  }
}
