import type { Duplex, Readable, Writable } from 'node:stream';
import { OperatorError } from '../../base/operator-error.js';

/** The container of a pod to connect to. */
export interface ContainerOptions {
  /** Default: the namespace of the reconciled object. */
  readonly namespace?: string;
  /** Default: the container of the annotation `kubectl.kubernetes.io/default-container`, or the only one of the pod. */
  readonly container?: string;
}

/** The streams of a command or of the main process of a container. */
export interface AttachOptions extends ContainerOptions {
  /** Default: none. */
  readonly stdin?: Readable;
  /** Ended when the command ends. It slows the command down to the speed at which it accepts data. */
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** The command has a terminal, so stderr is part of stdout. Default false. */
  readonly tty?: boolean;
}

/** The output of a command that has succeeded. */
export interface ExecResult {
  /** Empty if `stdout` was given. */
  readonly stdout: string;
  /** Empty if `stderr` was given. */
  readonly stderr: string;
}

/** Selects the lines of a log. */
export interface PodLogOptions extends ContainerOptions {
  /** Continue with new lines until the container ends. Default false. */
  readonly follow?: boolean;
  /** The log of the instance of the container before the last restart. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly limitBytes?: number;
  /** Each line begins with its time. */
  readonly timestamps?: boolean;
}

/** Connections to the containers of pods. */
export interface PodStreams {
  exec(pod: string, command: readonly string[], options?: AttachOptions): Promise<ExecResult>;
  attach(pod: string, options?: AttachOptions): Promise<void>;
  logs(pod: string, options?: PodLogOptions): Promise<Readable>;
  portForward(pod: string, port: number, options?: Pick<ContainerOptions, 'namespace'>): Promise<Duplex>;
}

/** The end of a command with another exit code than 0. */
export class CommandError extends OperatorError {
  constructor(
    message: string,
    readonly exitCode: number,
    /** The end of its output to stderr; empty if the call has passed a stream for it. */
    readonly stderr: string,
  ) {
    super(message, { code: 'E_EXEC', hint: 'see the output of the command; catch CommandError to handle exit codes' });
  }
}
