import { goQuoted } from '../../../base/go-quoted.js';
import { randomUUID } from 'node:crypto';
import type { AdmissionRequest, AdmissionResponse, AdmissionReview } from '../../../api/protocol/admission-review.js';
import type { Status } from '../../../api/protocol/status.js';
import { StatusError } from '../../errors/status-error.js';
import { isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { userInfo } from '../../objects/user-info.js';
import type { Resource } from '../../resources/resource.js';
import { nameOfRequest, namespaceOfRequest, type AdmissionAttributes } from '../../registry/admission.js';

/** The verified response of a webhook. */
export interface WebhookResponse {
  readonly allowed: boolean;
  /** The decoded JSON patch. */
  readonly patch?: string | undefined;
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  readonly auditAnnotations: JsonObject;
}

/** An AdmissionReview request and the verification of its response. */
export interface WebhookReview {
  readonly body: AdmissionReview;
  /**
   * Verifies and decodes a response.
   * @throws Error when it is invalid
   */
  read(answer: unknown): WebhookResponse;
}

/** A request converted to the version that the webhook's rule matches. */
export interface ReviewedRequest extends AdmissionAttributes {
  readonly as: Resource;
  readonly asObject: ApiObject | undefined;
  readonly asOld: ApiObject | undefined;
}

const VERSIONS = ['v1', 'v1beta1'];

/**
 * Returns the AdmissionReview of a request in the webhook's first supported version; undefined if none is supported.
 */
export function admissionReview(
  request: ReviewedRequest,
  versions: readonly string[],
  isMutating: boolean,
): WebhookReview | undefined {
  const version = versions.find((each) => VERSIONS.includes(each));
  if (version === undefined) return undefined;
  const uid = randomUUID();
  const apiVersion = `admission.k8s.io/${version}`;
  return {
    body: { kind: 'AdmissionReview', apiVersion, request: { uid, ...admissionRequest(request) } },
    read: (answer) => readResponse(answer, { uid, apiVersion, isMutating }),
  };
}

/** Returns the AdmissionRequest without its uid; also the variable `request` of policies. */
export function admissionRequest(request: ReviewedRequest): Omit<AdmissionRequest, 'uid'> {
  const { as, asObject = null, asOld = null, resource, subresource, operation, user, dryRun } = request;
  const namespace = namespaceOfRequest(request);
  const name = nameOfRequest(request);
  return {
    kind: kindOf(as, subresource),
    resource: resourceOf(as),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kindOf(resource, subresource),
    requestResource: resourceOf(resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfo(user),
    object: asObject,
    oldObject: asOld,
    dryRun: dryRun ?? false,
    options: request.options ?? null,
  };
}

function kindOf({ group, version, kind, subresources }: Resource, subresource: string): AdmissionRequest['kind'] {
  const sub = subresources.get(subresource);
  return { group: sub?.group ?? group, version: sub?.version ?? version, kind: sub?.kind ?? kind };
}

function resourceOf({ group, version, plural }: Resource): AdmissionRequest['resource'] {
  return { group, version, resource: plural };
}

/** The fields of a response with unknown types, since webhooks are not trusted. */
type UntrustedResponse = Readonly<Partial<Record<keyof AdmissionResponse, unknown>>>;

interface Expected {
  readonly uid: string;
  readonly apiVersion: string;
  readonly isMutating: boolean;
}

/** Verifies a response like VerifyAdmissionResponse of webhook/request: v1 strictly, v1beta1 leniently. */
function readResponse(answer: unknown, expected: Expected): WebhookResponse {
  const review = isJsonObject(answer) ? answer : {};
  const { response } = review;
  if (!isJsonObject(response)) throw new Error('webhook response was absent');
  if (expected.apiVersion.endsWith('/v1')) assertReview(review, response, expected);
  const { patch, allowed, warnings }: UntrustedResponse = response;
  const text = typeof patch === 'string' && patch !== '' ? Buffer.from(patch, 'base64').toString() : undefined;
  return {
    allowed: allowed === true,
    patch: expected.isMutating ? text : undefined,
    status: objectAt(response, 'status'),
    auditAnnotations: objectAt(response, 'auditAnnotations'),
    warnings: Array.isArray(warnings) ? (warnings as string[]) : [],
  };
}

function assertReview(review: JsonObject, response: JsonObject, { uid, apiVersion, isMutating }: Expected): void {
  const given = stringAt(response, 'uid');
  if (given !== uid) throw new Error(`expected response.uid="${uid}", got "${given}"`);
  const [kind, version] = [stringAt(review, 'kind'), stringAt(review, 'apiVersion')];
  if (kind !== 'AdmissionReview' || version !== apiVersion) {
    // An empty GroupVersion is printed as a slash.
    const got = `${version || '/'}, Kind=${kind}`;
    throw new Error(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${got}`);
  }
  const [patch, { patchType }] = [stringAt(response, 'patch'), response];
  if (isMutating) assertPatch(patch, patchType);
  else if (patch !== '') throw new Error('validating webhook may not return response.patch');
  else if (patchType !== undefined) throw new Error('validating webhook may not return response.patchType');
}

function assertPatch(patch: string, patchType: unknown): void {
  if (patch !== '' && patchType === undefined)
    throw new Error('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined)
    throw new Error('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""');
}

/** The error of a request that a webhook denied: ToStatusErr of webhook/errors. */
export function denial(webhook: string, status: JsonObject): StatusError {
  const { code = 0, message = '', reason = '', details } = status as Partial<Status>;
  const by = `admission webhook ${goQuoted(webhook)} denied the request`;
  const why = message || reason;
  const text = why === '' ? `${by} without explanation` : `${by}: ${why}`;
  return new StatusError(Math.max(code, 400), reason, text, details);
}
