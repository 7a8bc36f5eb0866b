import { matchesSelector } from '../../api/selection/label-selector.js';
import { type ApiObject, type JsonObject, eachObject, isJsonObject } from '../objects/api-object.js';
import { semanticEqual } from '../validation/fields/semantic-equal.js';
import type { StoreEvent } from '../storage/stored-object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';

const MANAGER = 'clusterrole-aggregation-controller';

/** Sets the rules of ClusterRoles with an aggregationRule to those of the selected roles. */
export class RoleAggregationController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: () => void;
  private readonly roles;
  /** Names of the roles with an aggregationRule. */
  private readonly aggregates = new Set<string>();

  constructor(private readonly client: ClusterClient) {
    this.roles = client.resource('rbac.authorization.k8s.io/v1', 'clusterroles');
    this.queue = new ReconcileQueue('clusterrole-aggregation', client.clock, client.logger, (name) =>
      this.reconcile(name),
    );
    this.unsubscribe = follow(client.store, this.roles.storage, (event) => this.onChange(event));
  }

  stop(): void {
    this.queue.shutDown();
    this.unsubscribe();
  }

  /** Queues all aggregating roles: the rules of any role may be part of them. */
  private onChange({ type, current }: Pick<StoreEvent, 'current' | 'type'>): void {
    const { metadata, aggregationRule } = current.object;
    if (type !== 'DELETED' && isJsonObject(aggregationRule)) this.aggregates.add(metadata.name);
    else this.aggregates.delete(metadata.name);
    for (const name of this.aggregates) this.queue.add(name);
  }

  private reconcile(name: string): void {
    const role = this.client.get(this.roles, name);
    if (!role || !isJsonObject(role.aggregationRule)) return;
    const rules = this.aggregated(role, role.aggregationRule);
    if (!semanticEqual(rules, role.rules)) this.client.apply(this.roles, { metadata: { name }, rules }, MANAGER);
  }

  private aggregated(role: ApiObject, { clusterRoleSelectors }: JsonObject): JsonObject[] {
    const rules = new Map<string, JsonObject>();
    for (const selector of eachObject(clusterRoleSelectors))
      for (const { metadata, rules: own } of this.client.list(this.roles)) {
        if (metadata.name === role.metadata.name || !matchesSelector(selector, metadata.labels)) continue;
        for (const rule of eachObject(own)) rules.set(JSON.stringify(rule), rule);
      }
    return [...rules.values()];
  }
}
