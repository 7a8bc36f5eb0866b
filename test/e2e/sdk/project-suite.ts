import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import { TemporaryProject, type Outcome } from '../../cli/temporary-project.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

/** A project, and a cluster for its commands, which start before the tests of a file and end after them. */
export class ProjectSuite {
  readonly project: TemporaryProject;
  cluster!: SuiteControlPlane;
  client!: Client;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.project = new TemporaryProject(files);
    beforeAll(async () => {
      this.cluster = await startSuiteControlPlane();
      this.client = new Client(await loadClusterConfig({ kubeconfig: this.cluster.kubeconfig }));
    });
    afterAll(async () => {
      this.client.close();
      this.project.remove();
      await this.cluster.stop();
    });
  }

  /** Runs a command of kindwright to its end. */
  kindwright(...args: string[]): Promise<Outcome> {
    return this.project.run('kindwright', [...args, '--kubeconfig', this.cluster.kubeconfig]);
  }

  /**
   * Deploys the operator of these sources without warnings, and returns the lines that were printed. It times out before
   * the test does, so that the test fails with the reason.
   */
  async deploy(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string[]> {
    this.project.write(files);
    const limited = ['--image', 'operator:1', '--timeout', '60s', ...args];
    const { exitCode, stdout, stderr } = await this.kindwright('deploy', ...limited);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.trim().split('\n');
  }
}
