import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ApiServer } from '../api-server.js';
import { ClusterClient } from './cluster-client.js';
import { DeploymentController } from './deployment-controller.js';
import { GarbageCollector } from './garbage-collector.js';
import { NamespaceController } from './namespace-controller.js';
import { NodeSimulator } from './node-simulator.js';
import { ReplicaSetController } from './replica-set-controller.js';

const DEFAULT_NODES = 2;

/** How the simulated cluster behaves. */
export interface ClusterBehaviour {
  /** Nodes at the start: how many, or their names. Default: 2. */
  readonly nodes?: number | readonly string[];
  /** Time a pod takes from its creation to Running. Default: 0. */
  readonly podStartDelayMs?: number;
  /** Run no controllers at all: the API server alone. */
  readonly withoutControllers?: boolean;
}

/** Runs the controllers that make a cluster of the API server. */
export class ControllerManager {
  private controllers: { stop(): void }[] = [];

  constructor(
    private readonly api: ApiServer,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly behaviour: ClusterBehaviour,
  ) {}

  start(): void {
    const { nodes = DEFAULT_NODES, podStartDelayMs = 0, withoutControllers = false } = this.behaviour;
    if (withoutControllers) return;
    const names = typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index) => `node-${index + 1}`) : nodes;
    const client = new ClusterClient(this.api, this.clock, this.logger);
    const kubelet = new ClusterClient(this.api, this.clock, this.logger, 'kubelet');
    this.controllers = [
      new NamespaceController(client),
      new GarbageCollector(client),
      new DeploymentController(client),
      new ReplicaSetController(client),
      new NodeSimulator(kubelet, { nodes: names, podStartDelayMs }),
    ];
  }

  stop(): void {
    for (const controller of this.controllers) controller.stop();
  }
}
