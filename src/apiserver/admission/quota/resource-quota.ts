import type { Clock } from '../../../base/clock.js';
import { formatQuantity } from '../../../api/schema/quantity.js';
import { objectAt, type ApiObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import type { Evaluator } from './evaluator.js';
import { evaluatorOf } from './evaluators.js';
import { scopesOf } from './quota-scopes.js';
import { add, increase, mask, resourceList, toJson, type ResourceList } from '../../objects/resource-list.js';

/** Enforces the quotas of namespaces and updates their usage: admission/plugin/resourcequota. */
export class ResourceQuotaAdmission implements AdmissionPlugin {
  readonly name = 'ResourceQuota';

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  validate(request: AdmissionAttributes): void {
    const { resource, object, dryRun } = request;
    const { namespace = '' } = object.metadata;
    if (!resource.namespaced || namespace === '') return;
    const quotas = [...this.store.collection('resourcequotas').range(`${namespace}/`)];
    const evaluator = quotas.length === 0 ? undefined : evaluatorOf(resource.storage);
    if (!evaluator?.handles(request)) return;
    const charges = quotas.map(({ key, object: quota }) => ({
      key,
      quota,
      used: this.charge(evaluator, quota, request),
    }));
    if (dryRun === true) return;
    for (const { key, quota, used } of charges) {
      if (used)
        this.store.put('resourcequotas', key, {
          ...quota,
          status: { ...objectAt(quota, 'status'), used: toJson(used) },
        });
    }
  }

  /**
   * Returns the usage of a quota after the request; undefined when it does not change.
   * @throws StatusError when the quota would be exceeded
   */
  private charge(evaluator: Evaluator, quota: ApiObject, request: AdmissionAttributes): ResourceList | undefined {
    const status = objectAt(quota, 'status');
    const [hard, used] = [resourceList(status.hard), resourceList(status.used)];
    const names = evaluator.matching(hard.keys());
    if (names.length === 0 || !isInScope(evaluator, quota, request.object)) return undefined;
    const { name } = quota.metadata;
    const problem = evaluator.constraints?.(names, request.object);
    if (problem !== undefined) throw refused(request, `failed quota: ${name}: ${problem}`);
    if (names.some((each) => !used.has(each)))
      throw refused(request, `status unknown for quota: ${name}, resources: ${[...names].sort().join(',')}`);
    const delta = mask(this.deltaOf(evaluator, quota, request), hard.keys());
    const changed = new Map([...delta].filter(([, { nano }]) => nano > 0n));
    if (changed.size === 0) return undefined;
    const next = add(used, changed);
    const exceeded = [...changed.keys()].filter((each) => (next.get(each)?.nano ?? 0n) > (hard.get(each)?.nano ?? 0n));
    if (exceeded.length === 0 || request.subresource === 'status') return next;
    const show = (list: ResourceList): string => pretty(mask(list, exceeded));
    const why = `requested: ${show(changed)}, used: ${show(used)}, limited: ${show(hard)}`;
    throw refused(request, `exceeded quota: ${name}, ${why}`);
  }

  private deltaOf(evaluator: Evaluator, quota: ApiObject, { object, old }: AdmissionAttributes): ResourceList {
    const now = this.clock.now();
    const usage = evaluator.usage(object, now);
    return old && isInScope(evaluator, quota, old) ? increase(usage, evaluator.usage(old, now)) : usage;
  }
}

/** Returns whether a quota counts an object: all its scopes must match. */
export function isInScope({ matchesScope }: Evaluator, quota: ApiObject, object: ApiObject): boolean {
  return scopesOf(quota).every((scope) => matchesScope(scope, object));
}

function pretty(list: ResourceList): string {
  const sorted = [...list].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`).join(',');
}
