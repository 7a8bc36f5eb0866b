import { goQuoted } from '../../../base/go-quoted.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { internalError } from '../../errors/status-error.js';
import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { jsonPatch } from '../../patch/json-patch.js';
import { parseJsonPatch } from '../../patch/json-patch-operations.js';
import type { Resource } from '../../resources/resource.js';
import { DecodeReport } from '../../schema/decode-report.js';
import type { ObjectStore } from '../../storage/object-store.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { MutationRound, RemoteAdmissionPlugin } from '../admission-plugin.js';
import { isAdmissionConfiguration } from './exempt.js';
import { Reinvocation } from './reinvocation.js';
import { inVersion } from './versioned-object.js';
import type { WebhookCaller } from './webhook-caller.js';
import { configuredWebhooks, type ConfiguredWebhook } from './webhook.js';

/** Calls mutating webhooks one after the other: webhook/mutating. */
export class MutatingWebhooks implements RemoteAdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';

  constructor(
    private readonly store: ObjectStore,
    private readonly caller: WebhookCaller,
  ) {}

  concerns(request: AdmissionAttributes): boolean {
    return !isAdmissionConfiguration(request) && this.caller.concerns(this.webhooks(), request);
  }

  async mutateRemotely(request: AdmissionAttributes, round: MutationRound): Promise<ApiObject> {
    const reinvocation = round.memory(this.name, () => new Reinvocation());
    if (round.isSecond) reinvocation.compare(request.object);
    let { object } = request;
    for (const webhook of this.webhooks()) {
      const answer = await this.askOne(webhook, { ...request, object }, reinvocation, round);
      if (!answer) continue;
      if (!deepEqual(answer, object)) {
        reinvocation.require();
        round.requestSecond();
      }
      if (webhook.reinvocationPolicy === 'IfNeeded') reinvocation.invoked(webhook.id);
      object = answer;
    }
    reinvocation.remember(object);
    return object;
  }

  /** Returns the object changed by the webhook; undefined if it does not apply. */
  private async askOne(
    webhook: ConfiguredWebhook,
    request: AdmissionAttributes,
    reinvocation: Reinvocation,
    round: MutationRound,
  ): Promise<ApiObject | undefined> {
    const reviewed = await this.caller.reviewed(webhook, request);
    if (!reviewed || (round.isSecond && !reinvocation.isDue(webhook.id))) return undefined;
    const response = await this.caller.ask(webhook, reviewed, true);
    const { as, asObject } = reviewed;
    const patched = response?.patch === undefined ? asObject : applyPatch(webhook, as, asObject, response.patch);
    return patched === asObject || !patched ? request.object : inVersion(patched, as, request.resource);
  }

  private webhooks(): ConfiguredWebhook[] {
    return configuredWebhooks(this.store, 'mutatingwebhookconfigurations');
  }
}

function applyPatch(
  { name }: ConfiguredWebhook,
  { codec }: Resource,
  object: ApiObject | undefined,
  text: string,
): ApiObject | undefined {
  const { operations } = parseJsonPatch(text, false);
  if (operations.length === 0) return object;
  if (!object) {
    throw internalError(
      `admission webhook ${goQuoted(name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  try {
    const patched = codec.decode(jsonPatch(object, operations) as JsonObject, new DecodeReport());
    codec.applyDefaults(patched);
    return patched;
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
}
