import { ConfigMap, Client, Deployment, loadClusterConfig } from 'kindwright';
import { ControlPlane } from '../../controlplane/control-plane.js';
import { kubeconfigOf } from '../../e2e/service-account.js';
import { containerOf, PodProcess, type PodTemplate } from './pod-process.js';
import { ServiceNetwork } from './service-network.js';

/** A real control plane, with a network for Services, that runs the pods of a Deployment as processes. */
export class SimulatedCluster {
  private constructor(
    readonly controlPlane: ControlPlane,
    readonly client: Client,
    private readonly network: ServiceNetwork,
  ) {}

  static async start(): Promise<SimulatedCluster> {
    const network = await ServiceNetwork.start();
    const controlPlane = await ControlPlane.start({ apiserverArgs: network.apiserverArgs });
    network.client = new Client(await loadClusterConfig({ kubeconfig: controlPlane.kubeconfig }));
    return new SimulatedCluster(controlPlane, network.client, network);
  }

  kubectl(...args: string[]): Promise<string> {
    return this.controlPlane.kubectl(args);
  }

  async stop(): Promise<void> {
    for (const namespace of this.network.pods.keys()) await this.stopPods(namespace);
    this.client.close();
    await this.controlPlane.stop();
    await this.network.stop();
  }

  /** Replaces the pods of the namespace by those of its Deployment, and stops the old ones when the new ones are ready. */
  async rollOut(namespace: string, folder: string): Promise<readonly PodProcess[]> {
    const old = this.network.pods.get(namespace) ?? [];
    const [deployment] = (await this.client.list(Deployment, { namespace })).items;
    if (!deployment?.spec) throw new Error(`${namespace} has no Deployment`);
    const { replicas = 1, template } = deployment.spec;
    const env = await this.environmentOf(template, namespace);
    const started = await Promise.all(Array.from({ length: replicas }, () => PodProcess.start(template, folder, env)));
    this.network.pods.set(namespace, [...old, ...started]);
    await Promise.all(started.map((pod) => pod.ready()));
    this.network.pods.set(namespace, started);
    await Promise.all(old.map((pod) => pod.stop()));
    return started;
  }

  async stopPods(namespace: string): Promise<void> {
    const pods = this.network.pods.get(namespace) ?? [];
    this.network.pods.delete(namespace);
    await Promise.all(pods.map((pod) => pod.stop()));
  }

  private async environmentOf(template: PodTemplate, namespace: string): Promise<NodeJS.ProcessEnv> {
    const account = { namespace, name: template.spec?.serviceAccountName ?? 'default' };
    const env: NodeJS.ProcessEnv = { KUBECONFIG: await kubeconfigOf(this.controlPlane, this.client, account) };
    for (const { name, value, valueFrom } of containerOf(template).env ?? []) {
      const { name: source = '', key = '' } = valueFrom?.configMapKeyRef ?? {};
      env[name] = value ?? (await this.client.get(ConfigMap, source, { namespace })).data?.[key];
    }
    return env;
  }

  /** The names of all objects of all kinds, except those that come and go in any cluster. */
  async contents(): Promise<string[]> {
    const kinds = (await this.kubectl('api-resources', '--verbs=list', '--output=name')).trim().split('\n');
    const listed = kinds.filter((kind) => !/^(events|pods|endpointslices|endpoints)(\.|$)/.test(kind));
    const lines = await this.kubectl('get', listed.join(','), '--all-namespaces', '--output=name');
    return lines.trim().split('\n').sort();
  }
}
