import { eachObject } from '../../objects/api-object.js';
import { isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';

/** --horizontal-pod-autoscaler-downscale-stabilization */
const DOWNSCALE_WINDOW_S = 300;
/** No window and no period of a policy may be longer. */
const MEMORY_MS = 3_600_000;

/** How many replicas there are, and between which bounds. */
export interface Bounds {
  readonly current: number;
  readonly min: number;
  readonly max: number;
}

/** A condition's reason and message. */
type Reason = readonly [reason: string, message: string];

/** What is left of a wish for replicas, and why. */
export interface Decision {
  readonly replicas: number;
  readonly ability: Reason;
  readonly limit: Reason;
  readonly isLimited: boolean;
}

interface Moment {
  readonly atMs: number;
  /** Replicas that were asked for, or by how many the number changed. */
  readonly replicas: number;
}

interface Memory {
  readonly wishes: Moment[];
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

/** What one autoscaler has wished for and done of late: it holds back who would go up and down too fast. */
export class ScalingHistory {
  /** By the autoscaler's key. */
  private readonly memories = new Map<string, Memory>();

  forget(key: string): void {
    this.memories.delete(key);
  }

  /** What there was when the autoscaler was first seen counts as wished for. */
  begin(key: string, current: number, atMs: number): void {
    if (!this.memories.has(key)) this.memories.set(key, { wishes: [{ atMs, replicas: current }], changes: [] });
  }

  noteChange(key: string, replicas: number, atMs: number): void {
    this.memories.get(key)?.changes.push({ atMs, replicas });
  }

  /** Brings a wish within bounds, rates and windows; it is remembered as it was. */
  decide(key: string, wish: number, bounds: Bounds, behavior: unknown, nowMs: number): Decision {
    const memory = this.memoryOf(key, nowMs);
    const { scaleUp, scaleDown } = objectAt({ behavior }, 'behavior');
    const rules = isJsonObject(scaleUp) && isJsonObject(scaleDown) ? { up: scaleUp, down: scaleDown } : undefined;
    const steady = rules ? steadied(wish, bounds.current, memory, rules, nowMs) : highest(wish, memory, nowMs);
    memory.wishes.push({ atMs: nowMs, replicas: wish });
    const isGrowing = rules !== undefined && wish >= bounds.current;
    const [replicas, limit] = rules ? rated(steady, bounds, memory, rules, nowMs) : bounded(steady, bounds);
    return {
      replicas,
      limit,
      ability: steady === wish ? READY : isGrowing ? STABLE_UP : STABLE_DOWN,
      isLimited: replicas !== steady,
    };
  }

  private memoryOf(key: string, nowMs: number): Memory {
    const { wishes, changes } = this.memories.get(key) ?? { wishes: [], changes: [] };
    const isRecent = ({ atMs }: Moment): boolean => atMs >= nowMs - MEMORY_MS;
    const memory = { wishes: wishes.filter(isRecent), changes: changes.filter(isRecent) };
    this.memories.set(key, memory);
    return memory;
  }
}

interface Rules {
  readonly up: JsonObject;
  readonly down: JsonObject;
}

function highest(wish: number, { wishes }: Memory, nowMs: number): number {
  const recent = wishes.filter(({ atMs }) => atMs >= nowMs - DOWNSCALE_WINDOW_S * 1000);
  return Math.max(wish, ...recent.map(({ replicas }) => replicas));
}

function steadied(wish: number, current: number, { wishes }: Memory, { up, down }: Rules, nowMs: number): number {
  const within = (rules: JsonObject, usual: number): number[] => {
    const windowMs = (numberAt(rules, 'stabilizationWindowSeconds') ?? usual) * 1000;
    return wishes.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas);
  };
  const least = Math.min(wish, ...within(up, 0));
  const most = Math.max(wish, ...within(down, DOWNSCALE_WINDOW_S));
  return Math.min(Math.max(current, least), most);
}

/** Without rules of its own nothing more than doubles at once, or comes to four. */
function bounded(wish: number, { current, min, max }: Bounds): [number, Reason] {
  const fastest = Math.max(2 * current, 4);
  if (wish < min) return [min, TOO_FEW];
  if (wish > Math.min(max, fastest)) return max > fastest ? [fastest, TOO_FAST_UP] : [max, TOO_MANY];
  return [wish, WITHIN];
}

function rated(wish: number, bounds: Bounds, memory: Memory, rules: Rules, nowMs: number): [number, Reason] {
  const { current, min, max } = bounds;
  if (wish > current) {
    const fastest = Math.max(current, rateLimit(rules.up, 1, current, memory, nowMs));
    if (wish > Math.min(max, fastest)) return max > fastest ? [fastest, TOO_FAST_UP] : [max, TOO_MANY];
  } else if (wish < current) {
    const fastest = Math.min(current, rateLimit(rules.down, -1, current, memory, nowMs));
    if (wish < Math.max(min, fastest)) return min < fastest ? [fastest, TOO_FAST_DOWN] : [min, TOO_FEW];
  }
  return [wish, WITHIN];
}

/** How far policies let the number go: counted from what it was when the period of each began. */
function rateLimit(rules: JsonObject, sign: 1 | -1, current: number, { changes }: Memory, nowMs: number): number {
  const choice = stringAt(rules, 'selectPolicy');
  if (choice === 'Disabled') return current;
  const limits = eachObject(rules.policies).map((policy) => {
    const since = nowMs - (numberAt(policy, 'periodSeconds') ?? 0) * 1000;
    const changed = changes.filter(({ atMs }) => atMs > since).reduce((sum, { replicas }) => sum + replicas, 0);
    const [before, value] = [current - changed, numberAt(policy, 'value') ?? 0];
    if (policy.type === 'Pods') return before + sign * value;
    // Up it is rounded away from what there is, for else one percent of a few would never be anything.
    return sign > 0 ? Math.ceil(before * (1 + value / 100)) : Math.trunc(before * (1 - value / 100));
  });
  const isFarthest = choice !== 'Min';
  return isFarthest === sign > 0 ? Math.max(...limits) : Math.min(...limits);
}
