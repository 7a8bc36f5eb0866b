import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { thrownError } from '../../../base/thrown-error.js';

const MOST_CONNECTIONS = 16;

/**
 * Opens connections to a port of a pod through the API server. The operator's certificate is self-signed and not verified: the
 * kubelet connects to the pod itself.
 */
export class PodAgent extends Agent {
  constructor(private readonly forward: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  }

  override createConnection(_: unknown, callback: (error: Error | null, stream: Duplex) => void): undefined {
    const fail = (error: unknown): void => {
      callback(thrownError(error), NO_STREAM);
    };
    this.forward().then((stream) => {
      const socket = connect({ socket: stream, rejectUnauthorized: false });
      socket.once('error', fail);
      socket.once('secureConnect', () => {
        socket.off('error', fail);
        callback(null, socket);
      });
    }, fail);
  }
}

/** Not read after an error. */
const NO_STREAM = undefined as unknown as Duplex;
