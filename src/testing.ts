export { eventually, type EventuallyOptions } from './testing/eventually.js';
export { convert } from './testing/convert.js';
export { roundTrips, type RoundTripOptions } from './testing/round-trips.js';
export { FakeClock } from './base/fake-clock.js';
export type { AdmissionPluginName } from './apiserver/admission/default-plugins.js';
export type { SimulatedPod } from './apiserver/controllers/nodes/pod-plan.js';
export type { FaultVerb, WatchEnd } from './apiserver/server/fault-rule.js';
export type { ActiveFault } from './apiserver/server/server-faults.js';
export type { ClusterFaults, FaultRule } from './testing/cluster-faults.js';
export type { PodPlan, PodPlanner } from './testing/pod-plan.js';
export type { Cancel, Clock } from './base/clock.js';
export type { Cluster } from './testing/cluster.js';
export { review, type ReviewInput, type ReviewOutcome } from './testing/review.js';
export type { PatchOperation } from './webhook/json-patch-between.js';
export {
  simulate,
  SimulationError,
  type SimulatedConditions,
  type SimulatedWorld,
  type SimulateOptions,
  type SimulationRules,
  type SimulationSummary,
} from './testing/simulate.js';
export type { WorkloadStep } from './simulation/plan/plan.js';
export type { WrittenPlan } from './simulation/plan/written-plan.js';
export type { ScenarioActions, ScenarioObject } from './simulation/workload/scenario.js';
export { startCluster, type StartClusterOptions } from './testing/start-cluster.js';
export type { LogLine } from './testing/line-logger.js';
export { RecordingLogger } from './testing/recording-logger.js';
