import { randomUUID } from 'node:crypto';
import type { WebhookClient } from '../remote/webhook-client.js';
import { StatusError } from '../errors/status-error.js';
import {
  arrayAt,
  isJsonObject,
  objectAt,
  stringAt,
  without,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import { restoredMetadata } from './restored-metadata.js';

const TIMEOUT_S = 30;
const VERSIONS = ['v1', 'v1beta1'];

/**
 * Converts the objects of a CustomResourceDefinition with its webhook: webhook_converter.go of apiextensions-apiserver.
 */
export class WebhookConversion {
  private readonly clientConfig: JsonObject;
  private readonly reviewVersions: readonly string[];

  /** Returns undefined when the definition has no conversion webhook, or without a client to call it. */
  static of(definition: ApiObject, client: WebhookClient | undefined): WebhookConversion | undefined {
    const { strategy } = objectAt(objectAt(definition, 'spec'), 'conversion');
    return strategy === 'Webhook' && client ? new WebhookConversion(definition, client) : undefined;
  }

  private constructor(
    definition: ApiObject,
    private readonly client: WebhookClient,
  ) {
    const webhook = objectAt(objectAt(objectAt(definition, 'spec'), 'conversion'), 'webhook');
    this.clientConfig = objectAt(webhook, 'clientConfig');
    this.reviewVersions = arrayAt(webhook, 'conversionReviewVersions') as string[];
  }

  /** Converts objects of one version to another. */
  async convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const [first] = objects;
    if (!first) return [];
    if (objects.every(isEmpty)) return objects.map((object) => ({ ...object, apiVersion }));
    const about = `conversion webhook for ${first.apiVersion}, Kind=${first.kind}`;
    const converted = await this.ask(objects, apiVersion).catch((error: unknown) => {
      throw failure(`${about} failed: ${(error as Error).message}`);
    });
    if (converted.length !== objects.length)
      throw failure(`${about} returned ${converted.length} objects, expected ${objects.length}`);
    return objects.map((original, index) => {
      try {
        return checked(original, converted[index], apiVersion);
      } catch (error) {
        throw failure(`${about} returned ${(error as Error).message}`);
      }
    });
  }

  private async ask(objects: readonly ApiObject[], desiredAPIVersion: string): Promise<unknown[]> {
    const version = this.reviewVersions.find((each) => VERSIONS.includes(each));
    if (version === undefined) throw new Error('no supported conversion review versions');
    const uid = randomUUID();
    const apiVersion = `apiextensions.k8s.io/${version}`;
    const review = {
      kind: 'ConversionReview',
      apiVersion,
      request: { uid, desiredAPIVersion, objects: objects.map(asStored) },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    const answer = await this.client.post(this.clientConfig, review, TIMEOUT_S);
    return readAnswer(answer, version === 'v1' ? { uid, apiVersion } : undefined);
  }
}

/** Returns whether pruning left only the type of an object; such objects are converted without the webhook. */
function isEmpty(object: ApiObject): boolean {
  return Object.keys(object).every((field) => field === 'apiVersion' || field === 'kind');
}

/** Returns an object as it is stored, without resourceVersion, which only reads add. */
function asStored(object: ApiObject): object {
  // Pruned objects may have no metadata.
  return 'metadata' in object ? { ...object, metadata: without(object.metadata, 'resourceVersion') } : object;
}

/** Returns the objects of a ConversionReview; for v1beta1, type and uid are not verified. */
function readAnswer(answer: unknown, expected: { uid: string; apiVersion: string } | undefined): unknown[] {
  if (expected && stringAt(answer, 'apiVersion') !== expected.apiVersion) {
    const got = `${stringAt(answer, 'apiVersion') || '/'}, Kind=${stringAt(answer, 'kind')}`;
    throw new Error(`expected webhook response of ${expected.apiVersion}, Kind=ConversionReview, got ${got}`);
  }
  const response = isJsonObject(answer) ? answer.response : undefined;
  if (!isJsonObject(response)) throw new Error('no response provided');
  const uid = stringAt(response, 'uid');
  if (expected && uid !== expected.uid) throw new Error(`expected response.uid="${expected.uid}", got "${uid}"`);
  const { result } = response;
  const status = stringAt(result, 'status');
  if (status === 'Success') return arrayAt(response, 'convertedObjects');
  throw new Error(stringAt(result, 'message') || `response.result.status was '${status}', not 'Success'`);
}

/** Returns the converted object with the original's metadata; only changes of labels and annotations are allowed. */
function checked(original: ApiObject, given: unknown, apiVersion: string): ApiObject {
  const converted = isJsonObject(given) ? given : {};
  const [version, kind] = [stringAt(converted, 'apiVersion'), stringAt(converted, 'kind')];
  const invalid = 'invalid object at index 0: invalid';
  if (version !== apiVersion) throw new Error(`${invalid} groupVersion (expected ${apiVersion}, received ${version})`);
  if (kind !== original.kind) throw new Error(`${invalid} kind (expected ${original.kind}, received ${kind})`);
  const metadata = objectAt(converted, 'metadata');
  for (const [field, label] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const wanted = stringAt(objectAt(original, 'metadata'), field);
    const got = stringAt(metadata, field);
    if (wanted !== got) throw new Error(`invalid object: must have the same ${label}: ${wanted} != ${got}`);
  }
  try {
    return { ...converted, apiVersion, kind, metadata: restoredMetadata(original, converted) };
  } catch (error) {
    throw new Error(`invalid metadata: ${(error as Error).message}`);
  }
}

function failure(message: string): StatusError {
  return new StatusError(500, '', message);
}
