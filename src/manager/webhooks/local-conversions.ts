import { apiVersionOf, resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { stringAt, type JsonObject } from '../../base/json-object.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { ApiError, ConflictError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { Converter } from '../../webhook/converted-objects.js';
import { converterOf, resetConversion, setConversion } from './converter-of.js';
import { isAbandoned } from './leftover-registrations.js';
import { sendUntilCalled } from './send-until-called.js';

/** The manager of a field in the objects that are sent to find out whether they are converted. */
const FIELD_MANAGER = 'kindwright-conversion';

/** Lets an API server on the same machine convert kinds by this process, for the time of a run. */
export class LocalConversions {
  private readonly registered: { readonly name: string; readonly url: string }[] = [];
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

  /**
   * Resolves when the API server calls the conversion at `url`.
   *
   * @throws OperatorError if another process or operator converts a kind
   */
  async register(url: string, caBundle: string, probeName: string): Promise<void> {
    const clientConfig = { url: `${url}/convert`, caBundle };
    const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
    for (const { conversion, models } of this.kinds) {
      const { kind } = conversion;
      await this.assertFree(kind, new URL(url).host);
      const served = models.filter(({ version }) => version.served).map((model) => model.kind.version);
      await setConversion(this.client, resourceName(kind), webhook, served);
      this.registered.push({ name: resourceName(kind), url: clientConfig.url });
      const other = models.find((model) => model.kind.version !== kind.version && model.version.served);
      const hub = models.find((model) => model.kind.version === kind.version);
      if (other && hub?.version.served === true) await this.effective(kind, other.kind, `${probeName}-${kind.plural}`);
    }
  }

  /** Never rejects: the API server may have been stopped before. */
  async remove(client: Client): Promise<void> {
    for (const { name, url } of this.registered.splice(0)) {
      try {
        await this.end(client, name, url);
      } catch (error) {
        this.logger.debug(`Cannot reset the conversion of ${name}`, { err: error });
      }
    }
  }

  private async end(client: Client, name: string, url: string): Promise<void> {
    for (;;) {
      const definition = await client.get(CustomResourceDefinition, name);
      if (definition.spec.conversion?.webhook?.clientConfig?.url !== url) return; // another process converts it now
      try {
        await resetConversion(client, definition);
        const stored = definition.spec.versions.find(({ storage }) => storage)?.name;
        this.logger.info(`Only ${stored} of ${name} is served until its objects are converted again`);
        return;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }

  /** A kind has one converter. Replacing it would break the reads of the other operator when this process ends. */
  private async assertFree(kind: KindRef, address: string): Promise<void> {
    const name = resourceName(kind);
    const definition = await this.client.get(CustomResourceDefinition, name);
    const converter = converterOf(definition);
    const { url } = definition.spec.conversion?.webhook?.clientConfig ?? {};
    if (converter === undefined || (await isAbandoned(definition, [url], address))) return;
    throw new OperatorError(`objects of ${name} are already converted by ${converter}`, {
      code: 'E_OTHER_CONVERTER',
      hint:
        url === undefined
          ? 'stop it, or run without --register-webhooks: it converts for this process too'
          : `stop it, or run without --register-webhooks; if it was killed on another machine: ${endCommand(name)}`,
    });
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
    if (!isCalled) this.logger.warn(`The API server does not call this process to convert ${resourceName(kind)}`);
  }
}

function endCommand(name: string): string {
  return `kubectl patch crd ${name} --type=merge -p '{"spec":{"conversion":{"strategy":"None","webhook":null}}}'`;
}
