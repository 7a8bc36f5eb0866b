import type { KubeObject } from '../../api/objects/kube-object.js';
import { bootstrapCluster } from '../../apiserver/bootstrap.js';
import { replaceTurns } from '../../base/turns.js';
import { provideClusterConfig } from '../../client/cluster-config.js';
import { customResourceDefinition } from '../../manifests/crd/crd.js';
import { byKind } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';
import { ActiveFaults } from '../faults/active-faults.js';
import type { Plan } from '../plan/plan.js';
import type { History } from '../record/history.js';
import { Administrator } from '../world/administrator.js';
import { ClusterImage } from '../world/cluster-image.js';
import { useWorld } from '../world/globals.js';
import { accessObjects, identityOf } from '../world/operator-access.js';
import { OperatorModules } from '../world/operator-modules.js';
import { RunningPlan } from '../world/running-plan.js';
import { EPOCH_MS, World } from '../world/world.js';

/** Virtual time in which a prepared cluster comes to rest. */
const PREPARATION_MS = 60_000;
const HOUR_MS = 3_600_000;
/** No plan has this seed: objects of a prepared cluster and of a run have different uids. */
const IMAGE_SEED = -1;

/** Runs plans for the operator of some files, one after the other, in this thread. */
export class PlanRunner {
  private readonly images = new Map<number, ClusterImage>();

  private constructor(
    private readonly modules: OperatorModules,
    private readonly models: readonly ResourceModel[],
    /** Called before each step: a sign that the thread is not blocked. */
    private readonly beat: () => void,
  ) {}

  /** Loads the files. The globals must have been replaced before. */
  static async load(files: readonly string[], beat: () => void = () => undefined): Promise<PlanRunner> {
    const modules = new OperatorModules(files);
    return new PlanRunner(modules, await modules.load(), beat);
  }

  /** Number of times that the user's modules were loaded. */
  get lives(): number {
    return this.modules.loads;
  }

  async run(plan: Plan): Promise<History> {
    const image = await this.imageFor(plan.nodes);
    const world = new World(plan, EPOCH_MS, this.beat);
    return this.within(world, async () => {
      const identity = identityOf(this.models);
      const operator = userOf(identity);
      const server = world.start(image, { nodes: plan.nodes, operator });
      server.controllers.start();
      const running = new RunningPlan(world, plan, {
        faults: (run) => new ActiveFaults(run),
        since: image.revision,
        namespace: identity.namespace,
        load: () => this.modules.load(),
        models: this.models,
      });
      try {
        return await running.run();
      } finally {
        running.end();
        server.controllers.stop();
        server.api.stop();
      }
    });
  }

  /** Prepares a cluster with nodes, CRDs and the rights of the operator; each run gets a copy. */
  private async imageFor(nodes: number): Promise<ClusterImage> {
    const known = this.images.get(nodes);
    if (known) return known;
    const world = new World({ seed: IMAGE_SEED, schedule: 'first' }, EPOCH_MS - HOUR_MS, this.beat);
    const image = await this.within(world, async () => {
      const empty = ClusterImage.empty;
      const server = world.start(empty, { nodes, operator: userOf(identityOf(this.models)) });
      bootstrapCluster(server.api);
      server.controllers.start();
      const administrator = new Administrator(world, { type: 'user', name: 'installation' });
      let isDone = false;
      const install = async (): Promise<void> => {
        for (const object of this.installation()) {
          const { status, body } = await administrator.create(object);
          if (status >= 300 && status !== 409)
            throw new Error(
              `the simulated cluster refused ${object.kind} ${object.metadata.name}: ${JSON.stringify(body)}`,
            );
        }
        isDone = true;
      };
      const installed = install();
      await Promise.race([world.scheduler.run(() => isDone, PREPARATION_MS), installed]);
      await world.scheduler.run(() => false, world.at + PREPARATION_MS);
      server.controllers.stop();
      server.api.stop();
      return ClusterImage.of(server);
    });
    this.images.set(nodes, image);
    return image;
  }

  private installation(): KubeObject[] {
    const definitions = byKind(this.models.filter(({ definesKind }) => definesKind)).map(
      (versions) => customResourceDefinition(...versions) as unknown as KubeObject,
    );
    return [...accessObjects(this.models), ...definitions];
  }

  private async within<T>(world: World, run: () => Promise<T>): Promise<T> {
    useWorld(world);
    replaceTurns((callback, worker) => world.turn(callback, worker));
    try {
      return await run();
    } finally {
      useWorld(undefined);
      replaceTurns((callback) => {
        setImmediate(callback);
      });
      provideClusterConfig(() => undefined);
    }
  }
}

function userOf({ namespace, account }: ReturnType<typeof identityOf>): { name: string; groups: string[] } {
  return {
    name: `system:serviceaccount:${namespace}:${account}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
