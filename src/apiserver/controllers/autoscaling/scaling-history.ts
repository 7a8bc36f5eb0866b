import { eachObject, isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';

/** Default of --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWNSCALE_WINDOW_S = 300;
/** Maximum of all windows and policy periods. */
const MEMORY_MS = 3_600_000;

/** The current number of replicas and its bounds. */
export interface Bounds {
  readonly current: number;
  readonly min: number;
  readonly max: number;
}

/** A condition's reason and message. */
type Reason = readonly [reason: string, message: string];

/** The replicas to scale to, with the reasons for the autoscaler's conditions. */
export interface ScalingDecision {
  readonly replicas: number;
  readonly ability: Reason;
  readonly limit: Reason;
  readonly isLimited: boolean;
}

interface Moment {
  readonly atMs: number;
  /** The recommended number of replicas, or the difference that a scaling made. */
  readonly replicas: number;
}

interface Memory {
  readonly recommendations: Moment[];
  readonly changes: Moment[];
}

const READY: Reason = ['ReadyForNewScale', 'recommended size matches current size'];
const STABLE_UP: Reason = [
  'ScaleUpStabilized',
  'recent recommendations were lower than current one, applying the lowest recent recommendation',
];
const STABLE_DOWN: Reason = [
  'ScaleDownStabilized',
  'recent recommendations were higher than current one, applying the highest recent recommendation',
];
const WITHIN: Reason = ['DesiredWithinRange', 'the desired count is within the acceptable range'];
const TOO_MANY: Reason = ['TooManyReplicas', 'the desired replica count is more than the maximum replica count'];
const TOO_FEW: Reason = ['TooFewReplicas', 'the desired replica count is less than the minimum replica count'];
const TOO_FAST_UP: Reason = [
  'ScaleUpLimit',
  'the desired replica count is increasing faster than the maximum scale rate',
];
const TOO_FAST_DOWN: Reason = [
  'ScaleDownLimit',
  'the desired replica count is decreasing faster than the maximum scale rate',
];

/** Recent recommendations and scale events of each HPA; limits the rate of scaling. */
export class ScalingHistory {
  /** Memories by autoscaler key. */
  private readonly memories = new Map<string, Memory>();

  forget(key: string): void {
    this.memories.delete(key);
  }

  /** Records the current replicas as the first recommendation of an autoscaler. */
  begin(key: string, current: number, atMs: number): void {
    if (!this.memories.has(key))
      this.memories.set(key, { recommendations: [{ atMs, replicas: current }], changes: [] });
  }

  recordChange(key: string, replicas: number, atMs: number): void {
    this.memories.get(key)?.changes.push({ atMs, replicas });
  }

  /** Limits the desired replicas by bounds, rates and stabilization windows; records them unlimited. */
  decide(key: string, desired: number, bounds: Bounds, behavior: unknown, nowMs: number): ScalingDecision {
    const memory = this.memoryOf(key, nowMs);
    const { scaleUp, scaleDown } = objectAt({ behavior }, 'behavior');
    const rules = isJsonObject(scaleUp) && isJsonObject(scaleDown) ? { up: scaleUp, down: scaleDown } : undefined;
    const steady = rules ? steadied(desired, bounds.current, memory, rules, nowMs) : highest(desired, memory, nowMs);
    memory.recommendations.push({ atMs: nowMs, replicas: desired });
    const isGrowing = rules !== undefined && desired >= bounds.current;
    const [replicas, limit] = rules ? rated(steady, bounds, memory, rules, nowMs) : bounded(steady, bounds);
    return {
      replicas,
      limit,
      ability: steady === desired ? READY : isGrowing ? STABLE_UP : STABLE_DOWN,
      isLimited: replicas !== steady,
    };
  }

  private memoryOf(key: string, nowMs: number): Memory {
    const { recommendations, changes } = this.memories.get(key) ?? { recommendations: [], changes: [] };
    const isRecent = ({ atMs }: Moment): boolean => atMs >= nowMs - MEMORY_MS;
    const memory = { recommendations: recommendations.filter(isRecent), changes: changes.filter(isRecent) };
    this.memories.set(key, memory);
    return memory;
  }
}

interface Rules {
  readonly up: JsonObject;
  readonly down: JsonObject;
}

function highest(desired: number, { recommendations }: Memory, nowMs: number): number {
  const recent = recommendations.filter(({ atMs }) => atMs >= nowMs - DOWNSCALE_WINDOW_S * 1000);
  return Math.max(desired, ...recent.map(({ replicas }) => replicas));
}

function steadied(
  desired: number,
  current: number,
  { recommendations }: Memory,
  { up, down }: Rules,
  nowMs: number,
): number {
  const within = (rules: JsonObject, usual: number): number[] => {
    const windowMs = (numberAt(rules, 'stabilizationWindowSeconds') ?? usual) * 1000;
    return recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas);
  };
  const least = Math.min(desired, ...within(up, 0));
  const most = Math.max(desired, ...within(down, DOWNSCALE_WINDOW_S));
  return Math.min(Math.max(current, least), most);
}

/** Limits scaling of an autoscaler without rules: up to double the size or 4, whichever is more. */
function bounded(desired: number, { current, min, max }: Bounds): [number, Reason] {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return [min, TOO_FEW];
  if (desired > Math.min(max, fastest)) return max > fastest ? [fastest, TOO_FAST_UP] : [max, TOO_MANY];
  return [desired, WITHIN];
}

function rated(desired: number, bounds: Bounds, memory: Memory, rules: Rules, nowMs: number): [number, Reason] {
  const { current, min, max } = bounds;
  if (desired > current) {
    const fastest = Math.max(current, rateLimit(rules.up, 1, current, memory, nowMs));
    if (desired > Math.min(max, fastest)) return max > fastest ? [fastest, TOO_FAST_UP] : [max, TOO_MANY];
  } else if (desired < current) {
    const fastest = Math.min(current, rateLimit(rules.down, -1, current, memory, nowMs));
    if (desired < Math.max(min, fastest)) return min < fastest ? [fastest, TOO_FAST_DOWN] : [min, TOO_FEW];
  }
  return [desired, WITHIN];
}

/** Returns the limit set by the policies: each counts from the size at the start of its period. */
function rateLimit(rules: JsonObject, sign: 1 | -1, current: number, { changes }: Memory, nowMs: number): number {
  const choice = stringAt(rules, 'selectPolicy');
  if (choice === 'Disabled') return current;
  const limits = eachObject(rules.policies).map((policy) => {
    const since = nowMs - (numberAt(policy, 'periodSeconds') ?? 0) * 1000;
    const changed = changes.filter(({ atMs }) => atMs > since).reduce((sum, { replicas }) => sum + replicas, 0);
    const [before, value] = [current - changed, numberAt(policy, 'value') ?? 0];
    if (policy.type === 'Pods') return before + sign * value;
    // Scaling up is rounded up; otherwise a small percentage of a few replicas would have no effect.
    return sign > 0 ? Math.ceil(before * (1 + value / 100)) : Math.trunc(before * (1 - value / 100));
  });
  const isFarthest = choice !== 'Min';
  return isFarthest === sign > 0 ? Math.max(...limits) : Math.min(...limits);
}
