import type { KubeConfig, V1Status } from '@kubernetes/client-node';
import { Duplex, PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { thrownError } from '../../base/thrown-error.js';
import { toApiError } from '../api-error.js';
import type { ClusterConfig } from '../config/cluster.js';
import { ConnectionError } from '../connection-error.js';
import type { StreamFlow } from '../http/call.js';
import type { Transport } from '../http/transport.js';
import {
  CommandError,
  type AttachOptions,
  type ContainerOptions,
  type ExecResult,
  type PodLogOptions,
  type PodStreams,
} from './pod-stream-options.js';
import type { QueryValue } from '../query.js';
import type { Requester } from '../requester.js';
import { toKubeConfig } from '../client-node/to-kube-config.js';

export interface PodStreamsOptions {
  readonly config: ClusterConfig;
  readonly requester: Requester;
  readonly transport: Transport;
  /** Ends all streams. */
  readonly signal: AbortSignal;
  /** Default of the option `namespace`. */
  readonly namespace: string | undefined;
  /** The impersonated user, in place of the user of the client. */
  readonly impersonate?: string | undefined;
  /** Called immediately before a connection that can change something is opened; throws if it must not be. */
  readonly beforeWrite: () => void;
}

/** The part of the WebSocket of client-node that is used. */
interface Connection {
  readonly readyState: number;
  pause(): void;
  resume(): void;
  terminate(): void;
  on(event: 'close' | 'error', listener: (...args: readonly unknown[]) => void): unknown;
}

type Opening = (config: KubeConfig, streams: OpenStreams) => Promise<unknown>;

/** The streams that client-node connects to a WebSocket. It ignores their backpressure. */
interface OpenStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

const CLOSED = 3;
/** Output that is kept in memory at most; more would be a stream. */
const MOST_BYTES = 2 ** 24;

/**
 * Connections to pods, by the WebSockets of @kubernetes/client-node with the configuration of a client.
 *
 * The library is loaded by the first connection. Logs are streamed by the client itself.
 */
export class LivePodStreams implements PodStreams {
  constructor(private readonly options: PodStreamsOptions) {}

  async exec(pod: string, command: readonly string[], options: AttachOptions = {}): Promise<ExecResult> {
    const [stdout, stderr] = [collectedOutput(options.stdout), collectedOutput(options.stderr)];
    const { container, stdin, tty = false, namespace } = this.targetOf(options);
    let status: V1Status | undefined;
    await this.run(this.pathOf(pod, 'exec', namespace), [stdout.stream, stderr.stream], async (config, streams) => {
      const { Exec } = await import('@kubernetes/client-node');
      const [out, err] = [streams.stdout, tty ? null : streams.stderr];
      return new Exec(config).exec(namespace, pod, container, [...command], out, err, stdin, tty, (ended) => {
        status = ended;
      });
    });
    const output = { stdout: stdout.text(), stderr: stderr.text() };
    if (status?.status === 'Success') return output;
    throw this.failureOf(this.pathOf(pod, 'exec', namespace), [pod, command], status, output.stderr);
  }

  async attach(pod: string, options: AttachOptions = {}): Promise<void> {
    const { container, stdin, tty = false, namespace } = this.targetOf(options);
    const streams = [options.stdout ?? discarding(), options.stderr ?? discarding()] as const;
    await this.run(this.pathOf(pod, 'attach', namespace), streams, async (config, { stdout, stderr }) => {
      const { Attach } = await import('@kubernetes/client-node');
      return new Attach(config).attach(namespace, pod, container, stdout, tty ? null : stderr, stdin, tty);
    });
  }

  async portForward(pod: string, port: number, options: Pick<ContainerOptions, 'namespace'> = {}): Promise<Duplex> {
    const { namespace } = this.targetOf(options);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const duplex = Duplex.from({ writable: input, readable: output });
    duplex.on('error', () => undefined); // a reader gets it; without one it must not end the process
    const errors = collectedOutput(undefined);
    const connection = await this.opened(
      this.pathOf(pod, 'portforward', namespace),
      [output, errors.stream],
      async (config, { stdout, stderr }) => {
        const { PortForward } = await import('@kubernetes/client-node');
        return new PortForward(config).portForward(namespace, pod, [port], stdout, stderr, input);
      },
    );
    void this.ended(connection).then(
      () => {
        const text = errors.text();
        if (text === '') output.end();
        else duplex.destroy(new ConnectionError(text, { reason: 'closed', host: this.options.config.server.host }));
      },
      (error: unknown) => duplex.destroy(thrownError(error)),
    );
    duplex.once('close', () => connection.terminate());
    return duplex;
  }

  logs(pod: string, options: PodLogOptions = {}): Promise<Readable> {
    const { namespace: _namespace, ...query } = options;
    const path = this.pathOf(pod, 'log', this.targetOf(options).namespace);
    const { requester, transport, signal, impersonate } = this.options;
    const common = { query: query as Record<string, QueryValue>, resource: 'pods/log', signal, impersonate };
    const request = { method: 'GET', path, ...common };
    let flow: StreamFlow | undefined;
    const lines = new Readable({
      read: () => flow?.resume(),
      destroy: (error, done) => {
        flow?.abort(error ?? new Error('the stream was destroyed'));
        done(error);
      },
    });
    lines.on('error', () => undefined); // a reader gets it; without one it must not end the process
    return new Promise((resolve, reject) => {
      const onOpen = (opened: StreamFlow): void => {
        flow = opened;
        resolve(lines);
      };
      const onBytes = (bytes: Buffer): void => {
        if (!lines.push(bytes)) flow?.pause();
      };
      transport.send(requester.sent(request), { onOpen, onBytes }).then(
        (response) => {
          if (response.head.status === 200) lines.push(null);
          else reject(requester.errorOf(response, request));
        },
        (error: unknown) => {
          lines.destroy(thrownError(error));
          reject(thrownError(error));
        },
      );
    });
  }

  /** Opens a connection and resolves when it has ended and its output was written. */
  private async run(path: string, [stdout, stderr]: readonly [Writable, Writable], open: Opening): Promise<void> {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([pipeline(out, stdout), pipeline(err, stderr)]);
    written.catch(() => undefined);
    let connection: Connection | undefined;
    try {
      connection = await this.opened(path, [out, err], open);
      // A target that fails ends the connection.
      await Promise.race([this.ended(connection), written]);
      out.end();
      err.end();
      await written;
    } catch (error) {
      connection?.terminate();
      out.destroy();
      err.destroy();
      throw error;
    }
  }

  private async opened(path: string, [out, err]: readonly [Writable, Writable], open: Opening): Promise<Connection> {
    const { beforeWrite, requester, signal, impersonate } = this.options;
    for (const method of ['GET', 'POST']) requester.sent({ method, path, impersonate }); // records the permissions
    let connection: Connection | undefined;
    const slowing = (stream: Writable): Writable => slowingDown(stream, () => connection);
    const kubeConfig = await toKubeConfig({ config: this.config });
    signal.throwIfAborted();
    beforeWrite();
    try {
      connection = (await open(kubeConfig, { stdout: slowing(out), stderr: slowing(err) })) as Connection;
    } catch (error) {
      throw await this.rejection(path, error);
    }
    return connection;
  }

  /** The configuration of the WebSockets. */
  private get config(): ClusterConfig {
    const { config, impersonate } = this.options;
    if (impersonate === undefined) return config;
    return { ...config, auth: { ...config.auth, impersonate: { user: impersonate, groups: [], extra: new Map() } } };
  }

  /** Resolves when a connection has been closed; an abort closes it. */
  private async ended(connection: Connection): Promise<void> {
    const { signal } = this.options;
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        connection.terminate();
        reject(signal.reason as Error);
      };
      const close = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      connection.on('error', () => undefined); // followed by close
      connection.on('close', close);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      else if (connection.readyState === CLOSED) close();
    });
  }

  /**
   * Returns the error of the server after a rejected upgrade. The error of the WebSocket has only its status, so the same
   * request is sent without an upgrade: the server rejects it for the same reason, and never runs it.
   */
  private async rejection(path: string, error: unknown): Promise<Error> {
    const { config, requester, signal, impersonate } = this.options;
    const { message = 'the connection failed' } = error as { readonly message?: string };
    if (/response: 4\d\d$/.test(message)) {
      for (const method of ['GET', 'POST']) {
        try {
          await requester.request({ method, path, signal, impersonate, retries: 0 });
        } catch (rejected) {
          if (!isUpgradeRequired(rejected)) return thrownError(rejected);
        }
      }
    }
    return new ConnectionError(`${path}: ${message}`, { reason: 'closed', host: config.server.host, cause: error });
  }

  private failureOf(
    path: string,
    [pod, command]: readonly [string, readonly string[]],
    status: V1Status | undefined,
    stderr: string,
  ): Error {
    const { host } = this.options.config.server;
    if (!status) return new ConnectionError(`${path}: closed before the command ended`, { reason: 'closed', host });
    const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    if (code !== undefined)
      return new CommandError(`${command[0] ?? ''} in pod ${pod} ended with exit code ${code}`, Number(code), stderr);
    return toApiError(status.code ?? 500, Object.assign({ kind: 'Status', apiVersion: 'v1' }, status), {
      method: 'GET',
      path,
    });
  }

  private targetOf<T extends AttachOptions>({ namespace, container, ...rest }: T) {
    const stdin = rest.stdin ?? null;
    return { ...rest, stdin, container: container ?? '', namespace: namespace ?? this.options.namespace ?? 'default' };
  }

  private pathOf(pod: string, subresource: string, namespace: string): string {
    return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/${subresource}`;
  }
}

/** A stream that pauses the connection while its target accepts no more data. */
function slowingDown(target: Writable, connection: () => Connection | undefined): Writable {
  const write = target.write.bind(target) as (chunk: unknown) => boolean;
  target.on('drain', () => connection()?.resume());
  return Object.assign(target, {
    write: (chunk: unknown): boolean => {
      const accepts = write(chunk);
      if (!accepts) connection()?.pause();
      return accepts;
    },
  });
}

function discarding(): PassThrough {
  return new PassThrough().resume();
}

function isUpgradeRequired(error: unknown): boolean {
  return /upgrade/i.test(thrownError(error).message);
}

/** Returns the given stream, or one that keeps its text. */
function collectedOutput(given: Writable | undefined): { readonly stream: Writable; text(): string } {
  if (given) return { stream: given, text: () => '' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      chunks.push(chunk);
      const hint = 'pass a stream for it, { stdout: createWriteStream(…) }';
      done(bytes > MOST_BYTES ? new RangeError(`the output exceeds ${MOST_BYTES} bytes: ${hint}`) : null);
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
