import type { KubeObject } from '../../api/objects/kube-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { formatFault, parseFault } from './fault-text.js';
import type { Plan, WorkloadStep } from './plan.js';

/** A plan as it is kept in a test, with the faults as text. */
export interface WrittenPlan {
  /** The steps of the user. */
  readonly workload: readonly WorkloadStep[];
  /** Such as `crash after create Secret default/a-tls`. */
  readonly faults?: readonly string[];
  /** Objects that exist before the operator starts. */
  readonly given?: readonly KubeObject[];
  /** Seed of the random values. Default 0. */
  readonly seed?: number;
  /** Number of replicas of the operator. Default 1. */
  readonly replicas?: number;
  /** Number of nodes. Default 2. */
  readonly nodes?: number;
  /** How the next event is chosen: the first one, or by the seed. Default `first`. */
  readonly schedule?: Plan['schedule'];
}

const NODES = 2;

/** Returns a plan without faults. */
export function planFor(workload: Plan['workload'], given: Plan['given'] = []): Plan {
  return { seed: 0, given, workload, faults: [], replicas: 1, nodes: NODES, schedule: 'first' };
}

/** Returns the short form of a plan, without what is the default. */
export function writtenPlan({ workload, faults, given, seed, replicas, nodes, schedule }: Plan): WrittenPlan {
  const isSeeded = schedule !== 'first' || seed !== 0;
  return {
    workload,
    faults: faults.map(formatFault),
    ...(given.length > 0 && { given }),
    ...(isSeeded && { seed }),
    ...(replicas !== 1 && { replicas }),
    ...(nodes !== NODES && { nodes }),
    ...(schedule !== 'first' && { schedule }),
  };
}

/**
 * Returns the plan of its short form.
 *
 * @param known the names of all faults
 * @throws OperatorError (E_PLAN) for a fault that cannot be read
 */
export function planOf({ workload, faults = [], given = [], ...values }: WrittenPlan, known: readonly string[]): Plan {
  return { ...planFor(workload, given), ...values, faults: faults.map((fault) => parseFault(fault, known)) };
}

/** Parses the JSON of the short form. @throws OperatorError (E_PLAN) for other text */
export function parseWrittenPlan(text: string): WrittenPlan {
  try {
    const plan = JSON.parse(text) as Partial<WrittenPlan>;
    const { workload, faults = [] } = plan;
    if (Array.isArray(workload) && faults.every((fault) => typeof fault === 'string')) return { ...plan, workload };
  } catch {
    // Reported below, like JSON that does not contain a plan.
  }
  throw new OperatorError('plan: the JSON of the plan cannot be read', {
    code: 'E_PLAN',
    hint: 'paste the text that a simulation has printed after --replay, in single quotes',
  });
}
