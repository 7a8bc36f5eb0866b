import { expressionWarnings, type KindCatalog } from '../admission/policy/type-checking.js';
import { numberAt, type ApiObject } from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';
import { OwnerLoop } from './owner-loop.js';

/** Writes the type checking warnings of each ValidatingAdmissionPolicy, as far as the matched kinds are known. */
export class PolicyStatusController {
  private readonly loop: OwnerLoop;
  private readonly policies;
  private readonly catalog: KindCatalog;

  constructor(private readonly client: ClusterClient) {
    const { api } = client;
    this.policies = client.resource('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies');
    this.catalog = {
      kindOf: (apiVersion, plural) => api.resources.find(apiVersion, plural),
      schemaOf: (kind) => api.schemaOf(kind),
    };
    this.loop = new OwnerLoop(client, this.policies, [], (policy) => this.reconcile(policy));
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(policy: ApiObject): void {
    const { generation = 0 } = policy.metadata;
    if (generation <= (numberAt(policy.status, 'observedGeneration') ?? 0)) return;
    const warnings = expressionWarnings(policy, this.catalog);
    this.client.updateStatus(this.policies, policy, {
      observedGeneration: generation,
      typeChecking: warnings.length > 0 ? { expressionWarnings: warnings } : {},
    });
  }
}
