import { matchesSelector, type LabelSelector } from '../../../../api/selection/label-selector.js';
import { whenAnswered, type RemoteCalls } from '../../../remote/remote-calls.js';
import { disruptionConditions } from '../../../builtin/disruption-allowed.js';
import { ensureObject } from '../../../objects/set-defaults.js';
import { badRequest, forbidden, StatusError } from '../../../errors/status-error.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  numberAt,
  objectAt,
  stringAt,
} from '../../../objects/api-object.js';
import { SYSTEM_USER, type Registry } from '../../../registry/registry.js';
import type { Remover } from '../../../registry/remover.js';
import { systemUpdate } from '../../../registry/system-update.js';
import type { DeleteOptions } from '../../../registry/write-options.js';
import type { Resource } from '../../../resources/resource.js';
import type { ResourceRegistry } from '../../../resources/resource-registry.js';
import type { ApiRequest } from '../../../transport/request/api-request.js';
import { json, type Outcome } from '../../../transport/response/outcome.js';
import { readUnstored } from '../../request/read-unstored.js';
import { PodAction } from './pod-action.js';
import { setPodCondition } from './pod-condition.js';
import type { WriteQuery } from '../../request/query-options.js';

const action = new PodAction('eviction', 'Eviction', 'policy/v1', 'policy/v1.Eviction', ['policy/v1beta1']);
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
const MAX_DISRUPTED_PODS = 2000;
const RETRY_SECONDS = 10;
const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const TWO_BUDGETS = {
  ...SUCCESS,
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
};

/** The dependencies of an eviction. */
export interface EvictionParts {
  readonly registry: Registry;
  readonly remover: Remover;
  readonly resources: ResourceRegistry;
  readonly pods: Resource;
}

/** POST of pods/eviction: a deletion that disruption budgets can reject. */
export async function evict(parts: EvictionParts, request: ApiRequest): Promise<Outcome> {
  const { registry, pods } = parts;
  const { given, query } = await readUnstored(action, request);
  const { name, namespace = '' } = request.info;
  if (stringAt(given.metadata, 'name') !== name) throw badRequest('name in URL does not match name in Eviction object');
  return whenAnswered((calls: RemoteCalls) => {
    const eviction = action.admit(registry, pods, action.decode(given, namespace), { ...query, calls });
    return new Eviction(parts, eviction, query).carryOut();
  });
}

/** An eviction after admission: EvictionREST of registry/core/pod/storage. */
class Eviction {
  private readonly pod: ApiObject;
  private readonly options: DeleteOptions;

  constructor(
    private readonly parts: EvictionParts,
    { metadata, deleteOptions }: ApiObject,
    { dryRun }: WriteQuery,
  ) {
    this.pod = parts.registry.get(parts.pods, metadata.name, metadata.namespace).object;
    const given = objectAt({ deleteOptions }, 'deleteOptions') as Omit<DeleteOptions, 'dryRun'> & { dryRun?: string[] };
    this.options = { ...given, dryRun: dryRun === true || given.dryRun?.includes('All') === true };
  }

  carryOut(): Outcome {
    const { pod } = this;
    const phase = stringAt(pod.status, 'phase');
    const isSpent = ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined;
    if (!isSpent) {
      const [budget, another] = this.budgets();
      if (another) return json(TWO_BUDGETS.code, TWO_BUDGETS);
      if (budget && !this.isUnhealthyEnough(budget)) this.countAgainst(budget);
    }
    this.remove();
    return json(201, SUCCESS);
  }

  /** Returns the disruption budgets that select the pod. */
  private budgets(): ApiObject[] {
    const { store } = this.parts.registry;
    const { labels, namespace = '' } = this.pod.metadata;
    return [...store.collection('poddisruptionbudgets.policy').range(`${namespace}/`)]
      .map(({ object }) => object)
      .filter(({ spec }) => {
        const { selector } = objectAt({ spec }, 'spec') as { selector?: LabelSelector };
        return selector !== undefined && matchesSelector(selector, labels);
      });
  }

  /** Returns whether the pod can be evicted without counting as a disruption, because it is not ready. */
  private isUnhealthyEnough({ spec, status }: ApiObject): boolean {
    const isReady = eachObject(objectAt(this.pod, 'status').conditions).some(
      (condition) => condition.type === 'Ready' && condition.status === 'True',
    );
    if (isReady) return false;
    const desired = numberAt(status, 'desiredHealthy') ?? 0;
    const isHealthy = desired > 0 && (numberAt(status, 'currentHealthy') ?? 0) >= desired;
    return isHealthy || stringAt(spec, 'unhealthyPodEvictionPolicy') === 'AlwaysAllow';
  }

  private countAgainst({ metadata, status }: ApiObject): void {
    const { name, namespace } = metadata;
    assertBudget(name, metadata.generation ?? 0, objectAt({ status }, 'status'));
    if (this.options.dryRun === true) return;
    const { registry, resources } = this.parts;
    const budgets = resources.find('policy/v1', 'poddisruptionbudgets');
    const transform = (old: ApiObject): ApiObject => {
      const next = { ...objectAt(old, 'status') };
      const disruptionsAllowed = Number(next.disruptionsAllowed) - 1;
      if (disruptionsAllowed === 0) next.conditions = disruptionConditions(next, disruptionsAllowed, registry.now());
      const disruptedPods = { ...objectAt(next, 'disruptedPods'), [this.pod.metadata.name]: registry.now() };
      return { ...old, status: { ...next, disruptionsAllowed, disruptedPods } };
    };
    const options = { user: SYSTEM_USER, fieldManager: 'kube-apiserver', subresource: 'status' };
    if (budgets) registry.update(budgets, name, namespace, transform, options);
  }

  private remove(): void {
    const { registry, remover, pods } = this.parts;
    const { name, namespace } = this.pod.metadata;
    const { preconditions, dryRun } = this.options;
    remover.assertPreconditions(pods, this.pod, preconditions);
    if (dryRun === true) return;
    systemUpdate(registry, pods, this.pod.metadata, (next) => {
      const condition = { type: 'DisruptionTarget', status: 'True' };
      const words = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
      setPodCondition(ensureObject(next, 'status'), { ...condition, ...words }, registry.now());
    });
    remover.removeAdmitted(pods, name, namespace, { ...this.options, preconditions: undefined });
  }
}

/** Validates a budget like checkAndDecrement, in the same order. */
function assertBudget(name: string, generation: number, status: ReturnType<typeof objectAt>): void {
  const refused = (why: string, seconds?: number): StatusError =>
    new StatusError(429, 'TooManyRequests', REFUSAL, {
      causes: [{ reason: 'DisruptionBudget', message: `The disruption budget ${name} ${why}` }],
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    });
  const numberOf = (field: string): number => numberAt(status, field) ?? 0;
  if (numberOf('observedGeneration') < generation)
    throw refused('is still being processed by the server.', RETRY_SECONDS);
  const allowed = numberOf('disruptionsAllowed');
  const refuse = (why: string): StatusError => forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, name, why);
  if (allowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods')).length > MAX_DISRUPTED_PODS)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed > 0) return;
  throw refused(spareless(numberOf('desiredHealthy'), numberOf('currentHealthy'), status));
}

/** Returns why a budget allows no disruption. If its last sync failed, the numbers are unreliable and not shown. */
function spareless(desired: number, current: number, { conditions }: JsonObject): string {
  const condition = eachObject(conditions).find(
    ({ type, status }) => type === 'DisruptionAllowed' && status === 'False',
  );
  const [reason, message] = [stringAt(condition, 'reason'), stringAt(condition, 'message')];
  const not = 'does not allow evicting pods currently';
  if (reason === 'SyncFailed' && message !== '') return `${not} because it failed sync: ${message}`;
  if (current <= desired) return `needs ${desired} healthy pods and has ${current} currently`;
  return message === '' ? not : `${not} (${reason}): ${message}`;
}
