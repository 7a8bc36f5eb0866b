import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PartName } from './command-line.ts';
import { ControlPlane } from './control-plane.ts';
import { EtcdContents } from './etcd-contents.ts';

const TIMEOUT_MS = 60_000;
/** Controllers react to a change within this time. */
const REACTION_MS = 100;

/** The parts that work as before after a stop and start; nodes are not ready without kwok. */
const RESTARTABLE: readonly PartName[] = ['apiserver', 'controller-manager'];

/** A control plane for one suite after the other: what a suite has changed is restored after it. */
export class PooledControlPlane {
  private readonly controlPlane: ControlPlane;
  private readonly initial: Initial;

  private constructor(controlPlane: ControlPlane, initial: Initial) {
    this.controlPlane = controlPlane;
    this.initial = initial;
  }

  static async start(parts: readonly PartName[]): Promise<PooledControlPlane> {
    const controlPlane = await ControlPlane.start({ parts, audit: true });
    try {
      const contents = await settledContents(controlPlane.etcdPort);
      const served = await servedKinds(controlPlane);
      return new PooledControlPlane(controlPlane, { parts, contents, served, files: await filesOf(controlPlane.dir) });
    } catch (error) {
      await controlPlane.stop();
      throw error;
    }
  }

  get dir(): string {
    return this.controlPlane.dir;
  }

  /** Whether it can still be restored after a start or stop of the part. */
  canRestart(name: PartName): boolean {
    return RESTARTABLE.includes(name) && this.initial.parts.includes(name);
  }

  startPart(name: PartName): Promise<void> {
    return this.controlPlane.startPart(name);
  }

  stopPart(name: PartName, signal: NodeJS.Signals): Promise<void> {
    return this.controlPlane.stopPart(name, signal);
  }

  /** Restores what ran, was stored and served, and was in the folder at the start. */
  async restore(): Promise<void> {
    const { contents, parts, files } = this.initial;
    for (const name of RESTARTABLE) if (parts.includes(name)) await this.startPart(name);
    const end = performance.now() + TIMEOUT_MS;
    do {
      if (performance.now() > end) throw new Error('what its suite has changed could not be restored');
      await contents.restore();
      await delay(REACTION_MS);
    } while (!(await this.isRestored()));
    const added = (await filesOf(this.dir)).filter((file) => !files.includes(file));
    await Promise.all(added.map((file) => rm(join(this.dir, file), { recursive: true, force: true })));
  }

  stop(): Promise<void> {
    return this.controlPlane.stop();
  }

  private async isRestored(): Promise<boolean> {
    const { contents, served } = this.initial;
    return (await contents.areUnchanged()) && (await servedKinds(this.controlPlane)) === served;
  }
}

/** The state to which a control plane is restored. */
interface Initial {
  readonly parts: readonly PartName[];
  readonly contents: EtcdContents;
  readonly served: string;
  readonly files: readonly string[];
}

/** The contents once controllers have created everything that they create at the start. */
async function settledContents(etcdPort: number): Promise<EtcdContents> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const contents = await EtcdContents.read(etcdPort);
    await delay(5 * REACTION_MS);
    if (await contents.areUnchanged()) return contents;
    if (performance.now() > end) throw new Error('the contents of a new control plane do not settle');
  }
}

/** The groups and versions of discovery, and the OpenAPI documents, which follow a changed definition a little later. */
async function servedKinds(controlPlane: ControlPlane): Promise<string> {
  const { groups } = JSON.parse(await controlPlane.get('/apis')) as {
    groups: { versions: { groupVersion: string }[] }[];
  };
  const { paths } = JSON.parse(await controlPlane.get('/openapi/v3')) as { paths: Record<string, unknown> };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  return [...versions, ...Object.keys(paths)].sort().join('\n');
}

/** Those of the folder and of its keys. */
async function filesOf(dir: string): Promise<string[]> {
  const keys = (await readdir(join(dir, 'pki'))).map((name) => join('pki', name));
  return [...(await readdir(dir)), ...keys];
}
