import type { ObjectStore } from '../../storage/object-store.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { RemoteAdmissionPlugin } from '../admission-plugin.js';
import { isAdmissionConfiguration } from './exempt.js';
import type { WebhookCaller } from './webhook-caller.js';
import { configuredWebhooks, type ConfiguredWebhook } from './webhook.js';

/** Calls validating webhooks in parallel: webhook/validating. */
export class ValidatingWebhooks implements RemoteAdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook';

  constructor(
    private readonly store: ObjectStore,
    private readonly caller: WebhookCaller,
  ) {}

  concerns(request: AdmissionAttributes): boolean {
    return !isAdmissionConfiguration(request) && this.caller.concerns(this.webhooks(), request);
  }

  async validateRemotely(request: AdmissionAttributes): Promise<void> {
    const reviews = [];
    for (const webhook of this.webhooks()) {
      const reviewed = await this.caller.reviewed(webhook, request);
      if (reviewed) reviews.push({ webhook, reviewed });
    }
    await Promise.all(reviews.map(({ webhook, reviewed }) => this.caller.ask(webhook, reviewed, false)));
  }

  private webhooks(): ConfiguredWebhook[] {
    return configuredWebhooks(this.store, 'validatingwebhookconfigurations');
  }
}
