import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service, type Client } from 'kindwright';
import type { PodProcess } from './pod-process.js';

/**
 * The network of a cluster whose pods are processes: an egress proxy of the API server, which connects the addresses of
 * Services to their ready pods. So webhooks are called at the addresses in the generated manifests.
 */
export class ServiceNetwork {
  /** The running pods of each namespace. */
  readonly pods = new Map<string, readonly PodProcess[]>();
  client!: Client;
  private readonly server = createServer();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly folder: string) {
    this.server.on('connect', (request: IncomingMessage, socket: Socket) => {
      this.track(socket);
      void this.connect(request.url ?? '', socket).catch((error: unknown) => {
        socket.end(`HTTP/1.1 502 ${String(error)}\r\n\r\n`);
      });
    });
  }

  static async start(): Promise<ServiceNetwork> {
    const network = new ServiceNetwork(await mkdtemp(join(tmpdir(), 'network-')));
    network.server.listen(network.socket);
    await once(network.server, 'listening');
    const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: network.socket } } };
    const configuration = {
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [{ name: 'cluster', connection }],
    };
    await writeFile(network.configuration, JSON.stringify(configuration));
    return network;
  }

  get apiserverArgs(): string[] {
    return [`--egress-selector-config-file=${this.configuration}`];
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await rm(this.folder, { recursive: true });
  }

  private get socket(): string {
    return join(this.folder, 'egress.sock');
  }

  private get configuration(): string {
    return join(this.folder, 'egress.json');
  }

  private async connect(address: string, client: Socket): Promise<void> {
    const pod = connect(await this.portOf(address), '127.0.0.1');
    this.track(pod);
    await once(pod, 'connect');
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(pod).pipe(client);
    client.on('close', () => pod.destroy());
    pod.on('close', () => client.destroy());
  }

  private async portOf(address: string): Promise<number> {
    const [ip, port] = address.split(':');
    const { items } = await this.client.list(Service);
    const service = items.find(({ spec }) => spec?.clusterIP === ip);
    const target = service?.spec?.ports?.find((each) => each.port === Number(port))?.targetPort;
    const selector = Object.entries(service?.spec?.selector ?? {});
    const pod = this.pods
      .get(service?.metadata.namespace ?? '')
      ?.find(({ isReady, labels }) => isReady && selector.every(([key, value]) => labels[key] === value));
    if (!pod || target === undefined) throw new Error(`no ready pod for ${address}`);
    return pod.localPort(target);
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
