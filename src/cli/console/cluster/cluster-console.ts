import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RequestError } from '../../../base/http-server/request-error.js';
import type { Logger } from '../../../base/logger.js';
import { SystemClock } from '../../../base/system-clock.js';
import { thrownError } from '../../../base/thrown-error.js';
import type { PodStreams } from '../../../client/pods/pod-stream-options.js';
import { DEFAULT_PORT } from '../../../console/default-port.js';
import { RunningConsoleFile } from '../../../console/running-console-file.js';
import { ConsoleServer, LOOPBACK } from '../../../console/server/console-server.js';
import { LoopbackAccess } from '../../../console/server/loopback-access.js';
import { PAGE_FOLDER, PageFiles } from '../../../console/server/page-files.js';
import { securityHeaders } from '../../../console/server/security-headers.js';
import type { ApiAnswer, ConsoleRequest } from '../../../console/server/server-access.js';
import type { Hello } from '../../../console/wire.js';
import { withCluster, type ClusterOptions, type ClusterSession } from '../../deploy/with-cluster.js';
import { printLine } from '../../print-line.js';
import { showConsole } from '../../show-console.js';
import { withLogger } from '../../with-logger.js';
import { consolePods, type ConsolePod } from './console-pods.js';
import { kubeconfigToken, serviceAccountToken, type ConsoleToken } from './console-token.js';
import { PodConsole } from './pod-console.js';

/** Command-line options of `kindwright console`. */
export interface ClusterConsoleOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly pod?: string;
  readonly serviceAccount?: string;
  readonly port?: number;
  readonly open?: boolean;
  readonly verbose?: boolean;
}

/**
 * Serves the console of an operator in a cluster on this machine until a signal asks to stop: its page, and its API with the
 * permissions of the user.
 */
export async function clusterConsole(options: ClusterConsoleOptions): Promise<void> {
  await withLogger({ logLevel: 'info', logFormat: 'text', ...options }, (logger) =>
    withCluster(options, (session) => serve(session, options, logger)),
  );
}

async function serve(session: ClusterSession, options: ClusterConsoleOptions, logger: Logger): Promise<void> {
  const { signal } = session;
  const pods = new ConsolePods(session, options);
  const access = new LoopbackAccess(new SystemClock(), (request) => pods.answer(request));
  const server = new ConsoleServer({ logger, files: new PageFiles(PAGE_FOLDER), access });
  let file: RunningConsoleFile | undefined;
  try {
    const { hello, pod, others } = await pods.connect();
    const { port } = options;
    await server.listen({ host: LOOPBACK, port: port ?? DEFAULT_PORT, isFlexible: port === undefined });
    const { token } = access;
    file = RunningConsoleFile.write({ url: server.origin, token, pid: process.pid, operator: hello.operator }, logger);
    printLine(`${hello.operator} in pod ${pod.name}${hello.isLeader ? '' : ', which is not the leader'}, read-only`);
    if (others.length > 0) printLine(`Other pods, for --pod: ${others.map(({ name }) => name).join(', ')}`);
    const url = `${server.origin}/#t=${token}`;
    showConsole({ url, writeRedirect: () => file?.writeRedirect() }, options, logger);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
  } finally {
    file?.remove();
    await server.close();
    pods.close();
  }
}

interface ConnectedPod {
  readonly console: PodConsole;
  readonly pod: ConsolePod;
  readonly hello: Hello;
  /** Pods that were not chosen. */
  readonly others: readonly ConsolePod[];
}

/** Connects to the pod that leads; to another one when it has ended. */
class ConsolePods {
  private readonly streams: PodStreams;
  private readonly namespace: string;
  private readonly token: ConsoleToken;
  private readonly clock = new SystemClock();
  private present: PodConsole | undefined;
  private connecting: Promise<ConnectedPod> | undefined;

  constructor(
    private readonly session: ClusterSession,
    private readonly options: ClusterConsoleOptions,
  ) {
    const { client, signal } = session;
    this.namespace = options.namespace ?? client.config.namespace ?? 'default';
    this.streams = client.podStreams({ signal, namespace: this.namespace, beforeWrite: () => undefined });
    this.token = this.tokenOf(options.serviceAccount);
  }

  /** @throws OperatorError (E_CONSOLE) if no pod has a console, or if it refuses the user. */
  async connect(): Promise<ConnectedPod> {
    const pods = await consolePods(this.session.client, this.namespace, this.options.pod);
    let best: { readonly console: PodConsole; readonly hello: Hello } | undefined;
    let failure: unknown;
    for (const pod of pods) {
      const console = new PodConsole(pod, this.streams, this.token, this.clock);
      try {
        const hello = await console.hello();
        if (best && !hello.isLeader) console.close();
        else best = { console, hello };
        if (hello.isLeader) break;
      } catch (error) {
        console.close();
        failure = error;
      }
    }
    if (!best) throw failure;
    this.present?.close();
    this.present = best.console;
    const { pod } = best.console;
    return { console: best.console, pod, hello: best.hello, others: pods.filter(({ name }) => name !== pod.name) };
  }

  async answer({ method, path, query, headers }: ConsoleRequest): Promise<ApiAnswer> {
    if (method !== 'GET') throw new RequestError(405, 'this console is read-only: the operator runs on a cluster');
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    const lastId = headers['last-event-id'];
    const resumed = typeof lastId === 'string' ? { 'last-event-id': lastId } : {};
    const upstream = await this.get(`${path.map(encodeURIComponent).join('/')}${search}`, resumed);
    return {
      stream: async (response) => {
        const { statusCode = 502, headers: received } = upstream;
        response.writeHead(statusCode, { ...securityHeaders(), 'content-type': received['content-type'] ?? '' });
        response.flushHeaders();
        await pipeline(upstream, response).catch(() => undefined); // one of them has been closed
      },
    };
  }

  close(): void {
    this.present?.close();
  }

  /** Sends the request once more through a new connection if the pod does not answer: requests change nothing. */
  private async get(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    try {
      return await this.sent(path, headers);
    } catch {
      try {
        return await this.sent(path, headers);
      } catch (error) {
        throw new RequestError(503, `the operator cannot be reached: ${thrownError(error).message}`);
      }
    }
  }

  /** A failure ends the connection; the next request looks for a pod again. */
  private async sent(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const present = this.present ?? (await this.reconnected());
    try {
      return await present.get(path, headers);
    } catch (error) {
      present.close();
      if (this.present === present) this.present = undefined;
      throw error;
    }
  }

  /** Requests at the same time share one new connection. */
  private async reconnected(): Promise<PodConsole> {
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return (await this.connecting).console;
  }

  private tokenOf(serviceAccount: string | undefined): ConsoleToken {
    const { client } = this.session;
    if (serviceAccount === undefined) return kubeconfigToken(client);
    const [first = '', second] = serviceAccount.split('/', 2);
    return second === undefined
      ? serviceAccountToken(client, this.namespace, first)
      : serviceAccountToken(client, first, second);
  }
}
