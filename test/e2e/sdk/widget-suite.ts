import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Client, loadClusterConfig } from 'kindwright';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { RunningManager, installKinds } from './running-manager.js';
import { behaviors, Gadget, Widget, type Behavior } from './widget.js';

const namespace = 'default';

/**
 * A server with an audit log, and the controllers of Widget and Gadget running in the test's own process. The server
 * runs without garbage collector, which would delete objects whose owner is missing.
 */
export class WidgetSuite {
  cluster!: SuiteControlPlane;
  client!: Client;
  manager!: RunningManager;
  /** Another one for each case. */
  name = '';
  private count = 0;

  /** To be made at the top of a test file. */
  constructor() {
    beforeAll(() => this.start());
    afterAll(() => this.stop());
    beforeEach(() => {
      this.count += 1;
      this.name = `case-${String(this.count)}`;
    });
    afterEach(() => {
      behaviors.delete(this.name);
    });
  }

  async createWidget(behavior: Behavior = () => undefined): Promise<void> {
    behaviors.set(this.name, behavior);
    await this.client.create(Widget, { metadata: { name: this.name, namespace }, spec: { value: 'a' } });
  }

  async changeWidget(value: string): Promise<void> {
    await this.client.patch(Widget, this.name, { spec: { value } }, { namespace });
  }

  widget() {
    return this.client.get(Widget, this.name, { namespace });
  }

  /** The controller's writes to the object of this case and its children so far. */
  async writes(): Promise<string[]> {
    const events = await this.cluster.auditEvents();
    const own = events.filter(({ name, uri }) => name === this.name && uri.includes('fieldManager=widget'));
    return own.map(({ verb, resource, subresource }) => [verb, resource, subresource].filter(Boolean).join(' '));
  }

  private async start(): Promise<void> {
    this.cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'], audit: true });
    this.client = new Client(await loadClusterConfig({ kubeconfig: this.cluster.kubeconfig }));
    await installKinds(this.client, [Widget, Gadget]);
    this.manager = await RunningManager.start(this.client, [Widget, Gadget]);
  }

  private async stop(): Promise<void> {
    await this.manager.stop();
    this.client.close();
    await this.cluster.stop();
  }
}
