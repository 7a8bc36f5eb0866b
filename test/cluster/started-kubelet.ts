import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type Client, Node, Pod } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { findBinaries } from '../controlplane/binaries.js';
import { freePort } from '../controlplane/free-port.js';
import type { RunningControlPlane } from '../controlplane/start-control-plane.js';

/** What a kubelet does for all pods. */
export interface KubeletOptions {
  /** The folder of its configuration, in which commands run on this machine. */
  readonly folder: string;
  /** The file with the log of all containers. */
  readonly logFile?: string;
  /** The port of this machine that all ports of pods are forwarded to. */
  readonly forwardPort: number;
}

/** The arguments of an API server that connects to the kubelet. */
export const KUBELET_ARGS = ['--kubelet-preferred-address-types=InternalIP'];
const NODE = 'node-1';
/** What the namespaces of operators require. */
const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const RESTRICTED_CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** A kubelet of kwok for all nodes. */
export class StartedKubelet {
  private constructor(private readonly process: ChildProcess) {}

  /** Starts it, and creates a node. */
  static async start(cluster: RunningControlPlane, admin: Client, options: KubeletOptions): Promise<StartedKubelet> {
    const { folder, logFile, forwardPort } = options;
    const { kwok, stages } = await findBinaries();
    const port = String(await freePort());
    const config = join(folder, 'kwok.json');
    const objects = [
      { kind: 'ClusterExec', spec: { execs: [{ local: { workDir: folder } }] } },
      ...(logFile === undefined
        ? []
        : [
            { kind: 'ClusterLogs', spec: { logs: [{ logsFile: logFile, follow: true }] } },
            { kind: 'ClusterAttach', spec: { attaches: [{ logsFile: logFile }] } },
          ]),
      {
        kind: 'ClusterPortForward',
        spec: { forwards: [{ target: { address: '127.0.0.1', port: forwardPort } }] },
      },
    ];
    const text = objects.map((each) =>
      JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', metadata: { name: 'all' }, ...each }),
    );
    writeFileSync(config, text.join('\n---\n'));
    const files = ['node/fast/node-initialize.yaml', 'pod/fast/pod-ready.yaml', 'pod/fast/pod-delete.yaml'];
    const pki = (name: string) => join(cluster.dir, 'pki', name);
    const child = spawn(
      kwok,
      [
        ...[...files.map((file) => join(stages, file)), config].map((file) => `--config=${file}`),
        ...[`--kubeconfig=${cluster.kubeconfig}`, '--manage-all-nodes=true', '--enable-crds='],
        ...['--node-ip=127.0.0.1', `--node-port=${port}`, `--server-address=127.0.0.1:${port}`],
        ...[`--tls-cert-file=${pki('apiserver.crt')}`, `--tls-private-key-file=${pki('apiserver.key')}`],
      ],
      { stdio: 'ignore' },
    );
    await admin.create(Node, { metadata: { name: NODE } });
    return new StartedKubelet(child);
  }

  /** Creates a pod with one container, and waits until it runs. */
  async run(admin: Client, { name, namespace }: PodName, args: readonly string[] = []): Promise<void> {
    const containers = [{ name: 'main', image: 'image', args: [...args], securityContext: RESTRICTED_CONTAINER }];
    const spec = { nodeName: NODE, containers, securityContext: RESTRICTED_POD };
    await admin.create(Pod, { metadata: { name, namespace }, spec });
    await eventually(
      async () => {
        expect((await admin.get(Pod, name, { namespace })).status?.phase).toBe('Running');
        const { status } = await admin.get(Node, NODE);
        expect(status?.daemonEndpoints?.kubeletEndpoint?.Port).toBeGreaterThan(0);
      },
      { timeout: '30s' },
    );
  }

  stop(): void {
    this.process.kill();
  }
}

interface PodName {
  readonly name: string;
  readonly namespace: string;
}
