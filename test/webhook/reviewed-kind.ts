import type { AdmissionRequest } from '../../src/api/protocol/admission-review.js';
import { silentLogger } from '../../src/base/logger.js';
import type { CustomResource } from '../../src/resource/custom-resource.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import type { WebhookModel } from '../../src/resource/webhooks/webhook-model.js';
import type { ReviewReader } from '../../src/webhook/review-reader.js';
import { reviewRequest, type ClassWebhook } from '../../src/webhook/review-request.js';
import type { PatchOperation } from '../../src/webhook/json-patch-between.js';
import { parseJson } from '../../src/base/json.js';

/** The webhook of a class, of which it has one of the type. */
export function webhookOf(target: new () => CustomResource, type: WebhookModel['type']): ClassWebhook {
  const [model] = buildResourceModels([target]);
  const webhook = model?.webhooks.find((each) => each.type === type);
  if (!model || !webhook) throw new Error(`${target.name} has no webhook`);
  return { model, webhook, provided: new ProvidedValues() };
}

export const noReader: ReviewReader = {
  get: () => Promise.reject(new Error('nothing to read')),
  list: () => Promise.reject(new Error('nothing to read')),
};

export function creation(object: object, request: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    uid: 'u1',
    kind: { group: 'apps.example.com', version: 'v1', kind: 'PodSet' },
    resource: { group: 'apps.example.com', version: 'v1', resource: 'podsets' },
    name: 'a',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'ann' },
    object: {
      apiVersion: 'apps.example.com/v1',
      kind: 'PodSet',
      metadata: { name: 'a', namespace: 'default' },
      ...object,
    },
    oldObject: null,
    dryRun: false,
    options: null,
    ...request,
  };
}

/** The response to a request, and its patch as operations. */
export async function reviewed(
  webhook: ClassWebhook,
  request: AdmissionRequest,
  signal = new AbortController().signal,
  isStrict = true,
) {
  const services = { reader: noReader, log: silentLogger, deadline: { signal }, isStrict };
  const response = await reviewRequest(webhook, request, services);
  const { patch, ...rest } = response;
  const operations =
    patch === undefined ? [] : (parseJson(Buffer.from(patch, 'base64').toString()) as PatchOperation[]);
  return { ...rest, operations };
}
