export { eventually, type EventuallyOptions } from './testing/eventually.js';
export { FakeClock } from './base/fake-clock.js';
export type { AdmissionPluginName } from './apiserver/admission/default-plugins.js';
export type { PodPlan, PodPlanner, SimulatedPod } from './apiserver/controllers/nodes/pod-plan.js';
export type { Cancel, Clock } from './base/clock.js';
export type { Cluster } from './testing/cluster.js';
export { startCluster, type StartClusterOptions } from './testing/start-cluster.js';
export type { LogLine } from './testing/line-logger.js';
export { RecordingLogger } from './testing/recording-logger.js';
