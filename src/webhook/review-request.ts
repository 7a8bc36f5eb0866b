import type { AdmissionRequest, AdmissionResponse } from '../api/protocol/admission-review.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { stringifyJson } from '../base/json.js';
import { OperatorError } from '../base/operator-error.js';
import { thrownError } from '../base/thrown-error.js';
import { hydrate } from '../resource/instances/hydrate.js';
import type { ResourceModel } from '../resource/model.js';
import { runtimeProblems, writtenFields } from '../resource/instances/runtime-problems.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import type { WebhookMethod, WebhookModel } from '../resource/webhooks/webhook-model.js';
import { convertRequest } from './convert-request.js';
import type { Converter } from './converted-objects.js';
import { LiveReview, type ReviewServices } from './live-review.js';
import { ReviewedForeignObject, ReviewedInstance, ReviewedJson, type ReviewedObject } from './reviewed-object.js';
import { Verdict } from './verdict.js';
import { WebhookMethodError } from './webhook-method-error.js';

/** A webhook of a class, and the values that are injected into its instances. */
export interface ClassWebhook {
  readonly model: ResourceModel;
  readonly webhook: WebhookModel;
  readonly provided: ProvidedValues;
}

type Method = (...args: unknown[]) => unknown;

/**
 * Calls the methods of a webhook that review the request, in order, and returns their verdict.
 *
 * Rejects with WebhookMethodError when a method gives no verdict. When the signal is aborted, it rejects without
 * waiting for the method.
 *
 * @param conversion the conversion of requests in other versions of the kind
 */
export async function reviewRequest(
  classWebhook: ClassWebhook,
  sent: AdmissionRequest,
  services: ReviewServices,
  conversion?: Converter,
): Promise<AdmissionResponse> {
  const { model, webhook } = classWebhook;
  const { request, toSent } = convertRequest(model.kind, sent, conversion);
  const { uid, operation, subResource, name = '' } = request;
  const raw = (operation === 'DELETE' ? request.oldObject : request.object) as KubeObject;
  const reviewed = reviewedObject(classWebhook, raw, subResource, services.isStrict);
  const verdict = new Verdict();
  const methods = webhook.methods.filter((method) => isReviewedBy(method, request));
  const review = new LiveReview(request, oldObject(classWebhook, request), verdict, services, webhook.path);
  for (const method of methods) await call(classWebhook, method, reviewed, review, services.isStrict);
  if (services.repeatMutations === true) await assertIdempotent(classWebhook, methods, reviewed, review);
  const response = verdict.response(uid, model.kind, name || (raw.metadata.generateName ?? ''));
  const patch = webhook.type === 'Mutating' && verdict.allowed ? reviewed.patch(toSent) : [];
  if (patch.length === 0) return response;
  return { ...response, patchType: 'JSONPatch', patch: Buffer.from(stringifyJson(patch)).toString('base64') };
}

function isReviewedBy({ operations, subresources = [''] }: WebhookMethod, request: AdmissionRequest): boolean {
  return operations.includes(request.operation) && subresources.includes(request.subResource ?? '');
}

function reviewedObject(
  classWebhook: ClassWebhook,
  raw: KubeObject,
  subresource = '',
  isStrict: boolean,
): ReviewedObject {
  if (subresource === 'scale' && classWebhook.model.definesKind) return new ReviewedJson(raw);
  const { model, webhook } = classWebhook;
  if (!model.definesKind) return new ReviewedForeignObject(model, raw, subresource || undefined);
  const isTracked = isStrict || webhook.type === 'Mutating';
  return injected(classWebhook, new ReviewedInstance(model, raw, subresource || undefined, isTracked));
}

function injected({ model, provided }: ClassWebhook, reviewed: ReviewedObject): ReviewedObject {
  if (reviewed instanceof ReviewedInstance) provided.inject(model, reviewed.value);
  return reviewed;
}

function oldObject({ model, provided }: ClassWebhook, request: AdmissionRequest): KubeObject | undefined {
  const old = request.oldObject as KubeObject | null;
  if (!old || !model.definesKind || request.subResource === 'scale') return old ?? undefined;
  const instance = hydrate(model, old);
  provided.inject(model, instance);
  return instance;
}

/** The receiver of the methods of a class with `@Admission`, which get the object as an argument. */
function admissionInstance({ model, provided }: ClassWebhook): object {
  const instance = new model.target();
  provided.inject(model, instance);
  return instance;
}

async function call(
  classWebhook: ClassWebhook,
  { method, isStatic }: WebhookMethod,
  reviewed: ReviewedObject,
  review: LiveReview,
  isStrict = false,
): Promise<void> {
  if (method === undefined) assertRules(classWebhook.model, reviewed.value, review);
  else await callMethod(classWebhook, { method, isStatic }, reviewed, review, isStrict);
}

async function callMethod(
  classWebhook: ClassWebhook,
  { method, isStatic }: { readonly method: string; readonly isStatic: boolean },
  reviewed: ReviewedObject,
  review: LiveReview,
  isStrict: boolean,
): Promise<void> {
  const { model, webhook } = classWebhook;
  const { target, className, definesKind } = model;
  const { value } = reviewed;
  const instance = definesKind ? value : admissionInstance(classWebhook);
  const owner = (isStatic ? target : instance) as Readonly<Record<string, Method>>;
  const getsObject = isStatic || !definesKind;
  try {
    assertNoResult(await beforeAbort(review, owner[method]?.(...(getsObject ? [value] : []), review)));
    if (webhook.type === 'Mutating') reviewed.assertAllowedChange(method);
    else if (isStrict) reviewed.assertUnchanged(method);
  } catch (thrown) {
    throw new WebhookMethodError(`${className}.${method}`, thrownError(thrown));
  }
}

/** @throws OperatorError (E_RESULT) for the result of a method that returns its verdict, which would be ignored. */
function assertNoResult(result: unknown): void {
  if (result === undefined) return;
  const value =
    typeof result === 'boolean' ? String(result) : typeof result === 'object' ? 'an object' : `a ${typeof result}`;
  throw new OperatorError(`returned ${value}, which has no effect`, {
    code: 'E_RESULT',
    hint: "return nothing: call review.invalid('spec.field', 'reason') to reject the object, and assign to this to change it",
  });
}

/** Refuses what violates the class's `@RuntimeOnly` rules, except in objects that the write leaves as they were. */
function assertRules({ className, fields, hasStatus }: ResourceModel, instance: object, review: LiveReview): void {
  try {
    const problems = runtimeProblems(writtenFields(fields, hasStatus), instance, review.old);
    for (const { field, message } of problems) review.invalid(field, message);
  } catch (thrown) {
    throw new WebhookMethodError(`@Validate of ${className}`, thrownError(thrown));
  }
}

/** @throws WebhookMethodError for a mutating method that changes the result of the first calls. */
async function assertIdempotent(
  classWebhook: ClassWebhook,
  methods: readonly WebhookMethod[],
  reviewed: ReviewedObject,
  review: LiveReview,
): Promise<void> {
  if (classWebhook.webhook.type !== 'Mutating') return;
  const again = injected(classWebhook, reviewed.result());
  for (const method of methods) {
    await call(classWebhook, method, again, review.repeated());
    const [changed] = again.patch();
    if (!changed) continue;
    const error = new OperatorError(`changed ${changed.path} when it was called again for its own result`, {
      code: 'E_NOT_IDEMPOTENT',
      hint: 'the API server may call @Mutate methods repeatedly: fill what is absent, and check before adding to a list',
    });
    throw new WebhookMethodError(`${classWebhook.model.className}.${method.method ?? ''}`, error);
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Settles like the result of a method, or rejects with the signal's reason as soon as it is aborted. */
async function beforeAbort(review: LiveReview, result: unknown): Promise<unknown> {
  if (!isPromiseLike(result)) return result;
  const { signal } = review;
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    if (abort) signal.removeEventListener('abort', abort);
  }
}
