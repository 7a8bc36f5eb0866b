import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ApiServer } from '../server/api-server.js';
import type { AdmissionPluginName } from '../admission/default-plugins.js';
import type { ServingIdentity } from '../../pki/certificate.js';
import { CertificateController } from './certificate-controller.js';
import { ClusterClient } from './cluster-client.js';
import { CronJobController } from './batch/cron-job-controller.js';
import { DaemonSetController } from './apps/daemon-set-controller.js';
import { DeploymentController } from './apps/deployment-controller.js';
import { DisruptionController } from './disruption-controller.js';
import { EndpointController } from './endpoint-controller.js';
import { EndpointMirrorController } from './endpoint-mirror-controller.js';
import { AttributesClassProtectionController } from './deletion/attributes-class-protection-controller.js';
import { GarbageCollector } from './deletion/garbage-collector.js';
import { HorizontalPodAutoscalerController } from './autoscaling/horizontal-pod-autoscaler-controller.js';
import { JobController } from './batch/job-controller.js';
import { KubeletSimulator } from './nodes/kubelet-simulator.js';
import { NamespaceController } from './deletion/namespace-controller.js';
import { NodeLifecycleController } from './nodes/node-lifecycle-controller.js';
import { NodeSimulator } from './nodes/node-simulator.js';
import type { PodPlanner, PodPlans } from './nodes/pod-plan.js';
import { PodGarbageCollector } from './nodes/pod-garbage-collector.js';
import { Scheduler } from './nodes/scheduler.js';
import { TaintEvictionController } from './nodes/taint-eviction-controller.js';
import { EphemeralVolumeController } from './storage/ephemeral-volume-controller.js';
import { PersistentVolumeController } from './storage/persistent-volume-controller.js';
import { SimulatedProvisioner } from './storage/simulated-provisioner.js';
import { REPLICA_SETS, REPLICATION_CONTROLLERS, ReplicaSetController } from './apps/replica-set-controller.js';
import { PolicyStatusController } from './policy-status-controller.js';
import { ResourceQuotaController } from './resource-quota-controller.js';
import { SecretTokenController } from './secret-token-controller.js';
import { ServiceRangeController } from './service-range-controller.js';
import { RoleAggregationController } from './role-aggregation-controller.js';
import { StatefulSetController } from './apps/stateful-set-controller.js';
import { VolumeProtectionController } from './deletion/volume-protection-controller.js';
import { inspect } from 'node:util';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import { OperatorError } from '../../base/operator-error.js';

const DEFAULT_NODES = 2;

/** Options of the simulated cluster. */
export interface ClusterBehavior {
  /** Nodes at the start: their number or names. Default: 2. */
  readonly nodes?: number | readonly string[];
  /** Time from the creation of a pod until it is running. Default: 0. */
  readonly podStartDelayMs?: number;
  /** Plans single pods: their duration and outcome. */
  readonly planPod?: PodPlanner;
  /** Admission plugins to disable, as with --disable-admission-plugins of kube-apiserver. */
  readonly disableAdmissionPlugins?: readonly AdmissionPluginName[];
  /** Simulates no kubelets: clients report node readiness and run pods. */
  readonly withoutKubelets?: boolean;
  /** Runs no controllers; pods need no service account then. */
  readonly withoutControllers?: boolean;
}

/** Runs the controllers of kube-controller-manager, the scheduler and simulated nodes. */
export class ControllerManager {
  private controllers: { stop(): void }[] = [];

  constructor(
    private readonly api: ApiServer,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly behavior: ClusterBehavior,
    /** The certificate authority of this server; with its key, certificates are signed. */
    private readonly authority: Pick<ServingIdentity, 'caPem' | 'caKey'>,
    private readonly plans: PodPlans,
  ) {}

  start(): void {
    const { nodes = DEFAULT_NODES, withoutControllers = false, withoutKubelets = false } = this.behavior;
    if (withoutControllers) return;
    const { caPem, caKey } = this.authority;
    const names = typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index) => `node-${index + 1}`) : nodes;
    const client = new ClusterClient(this.api, this.clock, this.logger);
    const kubelet = new ClusterClient(this.api, this.clock, this.logger, 'kubelet');
    const scheduler = new ClusterClient(this.api, this.clock, this.logger, 'kube-scheduler');
    const provisioner = new ClusterClient(this.api, this.clock, this.logger, 'simulated-provisioner');
    this.controllers = [
      new NamespaceController(client, caPem),
      new SecretTokenController(client, this.api.tokens, caPem),
      ...(caKey ? [new CertificateController(client, caKey)] : []),
      new GarbageCollector(client),
      new DeploymentController(client),
      new ReplicaSetController(client, REPLICA_SETS),
      new ReplicaSetController(client, REPLICATION_CONTROLLERS),
      new StatefulSetController(client),
      new DaemonSetController(client),
      new JobController(client),
      new CronJobController(client),
      new DisruptionController(client),
      new HorizontalPodAutoscalerController(client),
      new EndpointController(client),
      new EndpointMirrorController(client),
      new PolicyStatusController(client),
      new ResourceQuotaController(client),
      new RoleAggregationController(client),
      new ServiceRangeController(client),
      new VolumeProtectionController(client),
      new AttributesClassProtectionController(client),
      new PersistentVolumeController(client),
      new EphemeralVolumeController(client),
      new SimulatedProvisioner(provisioner),
      ...(withoutKubelets ? [] : [new NodeSimulator(kubelet, { nodes: names })]),
      new NodeLifecycleController(client, !withoutKubelets),
      new Scheduler(scheduler),
      new TaintEvictionController(client),
      new PodGarbageCollector(client),
    ];
    if (withoutKubelets) return;
    this.controllers.push(new KubeletSimulator(kubelet, this.plans));
  }

  stop(): void {
    for (const controller of this.controllers) controller.stop();
  }
}

/**
 * Validates the options of the simulated cluster before it starts.
 *
 * @throws OperatorError that names the option.
 */
export function assertBehavior({ nodes = 0, podStartDelayMs = 0 }: ClusterBehavior): void {
  if (typeof nodes === 'object') assertNames(nodes);
  else if (!(Number.isInteger(nodes) && nodes >= 0))
    throw invalidOption('nodes', nodes, 'pass a number of nodes, 0 or more, or an array of names');
  if (!(podStartDelayMs >= 0)) throw invalidOption('podStartDelayMs', podStartDelayMs, 'pass milliseconds, 0 or more');
}

function assertNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const [problem] = dnsSubdomainErrors(name);
    if (problem !== undefined) throw invalidOption(`nodes[${index}]`, name, problem);
    if (names.indexOf(name) !== index) throw invalidOption(`nodes[${index}]`, name, 'duplicate node name');
  }
}

function invalidOption(option: string, value: unknown, wanted: string): OperatorError {
  return new OperatorError(`${option} cannot be ${inspect(value)}: ${wanted}`, { code: 'E_OPTION' });
}
