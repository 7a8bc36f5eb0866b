import { goQuoted } from '../../../base/go-quoted.js';
import { badRequest, internalError } from '../../errors/status-error.js';
import { refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { RbacAuthorizer } from '../../auth/rbac-authorizer.js';
import { unmetConditions, WEBHOOK_CONDITIONS } from '../../expressions/match-conditions.js';
import { requestVariables } from '../policy-variables.js';
import { admissionReview, denial, type WebhookResponse, type ReviewedRequest } from './admission-review.js';
import type { RequestMatcher } from './request-matcher.js';
import { inVersion } from './versioned-object.js';
import type { WebhookClient } from '../../remote/webhook-client.js';
import type { ConfiguredWebhook } from './webhook.js';

const DEFAULT_TIMEOUT_S = 10;
const WITHOUT_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

/** Calls single webhooks; shared by mutating and validating webhooks. */
export class WebhookCaller {
  constructor(
    private readonly authorizer: RbacAuthorizer,
    private readonly matcher: RequestMatcher,
    private readonly client: WebhookClient,
  ) {}

  /** Returns whether any of the webhooks may have to be called. */
  concerns(webhooks: readonly ConfiguredWebhook[], request: AdmissionAttributes): boolean {
    return webhooks.some((webhook) => this.matcher.matchRules(webhook, request) !== undefined);
  }

  /** Returns the request in the version for the webhook; undefined if it does not match. */
  async reviewed(webhook: ConfiguredWebhook, request: AdmissionAttributes): Promise<ReviewedRequest | undefined> {
    const as = this.matcher.match(webhook, request);
    if (!as) return undefined;
    const { resource, object, old, operation } = request;
    const reviewed = {
      ...request,
      as,
      asObject: operation === 'DELETE' ? undefined : await inVersion(object, resource, as),
      asOld: old && (await inVersion(old, resource, as)),
    };
    const { matchConditions = [], failurePolicy } = webhook;
    const unmet =
      matchConditions.length === 0
        ? undefined
        : unmetConditions(matchConditions, WEBHOOK_CONDITIONS, requestVariables(this.authorizer, reviewed));
    if (unmet === undefined) return reviewed;
    if (unmet === 'unmet' || failurePolicy === 'Ignore') return undefined;
    throw refused(request, unmet.message);
  }

  /**
   * Returns the webhook's response; undefined if it fails and failures are ignored.
   * @throws StatusError when the webhook denies the request or fails
   */
  async ask(
    webhook: ConfiguredWebhook,
    request: ReviewedRequest,
    isMutating: boolean,
  ): Promise<WebhookResponse | undefined> {
    const { name, sideEffects = '', failurePolicy } = webhook;
    if (request.dryRun === true && !WITHOUT_SIDE_EFFECTS.includes(sideEffects))
      throw badRequest(`admission webhook ${goQuoted(name)} does not support dry run`);
    let response;
    try {
      response = await this.call(webhook, request, isMutating);
    } catch (error) {
      if (failurePolicy === 'Ignore') return undefined;
      throw internalError(`failed calling webhook ${goQuoted(name)}: ${(error as Error).message}`);
    }
    request.warnings?.push(...response.warnings);
    for (const [key, value] of Object.entries(response.auditAnnotations))
      if (request.annotations) request.annotations[`${name}/${key}`] = String(value);
    if (!response.allowed) throw denial(name, response.status);
    return response;
  }

  private async call(
    { admissionReviewVersions = [], clientConfig, timeoutSeconds = DEFAULT_TIMEOUT_S }: ConfiguredWebhook,
    request: ReviewedRequest,
    isMutating: boolean,
  ): Promise<WebhookResponse> {
    const review = admissionReview(request, admissionReviewVersions, isMutating);
    if (!review)
      throw new Error(
        'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      );
    const answer = await this.client.post(clientConfig, review.body, timeoutSeconds).catch((error: unknown) => {
      throw new Error(`failed to call webhook: ${(error as Error).message}`, { cause: error });
    });
    try {
      return review.read(answer);
    } catch (error) {
      throw new Error(`received invalid webhook response: ${(error as Error).message}`, { cause: error });
    }
  }
}
