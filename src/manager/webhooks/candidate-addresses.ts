import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses at which an API server may reach this process, and the one to listen at for them. */
export interface Candidates {
  /** Host and port, as for `bindAddress`; undefined for the one of the options. */
  readonly bindAddress: string | undefined;
  /** Hosts, or host and port of a tunnel to this process. */
  readonly hosts: readonly string[];
  /** False if the API server runs on this machine and needs no probe. */
  readonly isProbed: boolean;
}

/** The names of the host in containers of Docker, k3d and minikube. */
const HOSTS_OF_CONTAINERS = ['host.docker.internal', 'host.k3d.internal', 'host.minikube.internal'];
const LOOPBACK = '127.0.0.1';
const CONNECT_MS = 3000;

/**
 * Returns the addresses to try, in this order.
 *
 * An API server with an address on loopback runs on this machine, or in a container that reaches an interface of this
 * machine. Another one reaches at most the interface that this machine uses to reach it. The server listens on
 * all interfaces only if loopback is not enough.
 *
 * @param address `auto`; the host and port of a tunnel; undefined for an API server on this machine
 */
export async function candidateAddresses(address: string | undefined, server: URL): Promise<Candidates[]> {
  if (address === undefined) return [{ bindAddress: undefined, hosts: [LOOPBACK], isProbed: false }];
  if (address !== 'auto') return [{ bindAddress: undefined, hosts: [address], isProbed: true }];
  const isOnLoopback = /^(127\.[\d.]+|localhost|\[::1\])$/.test(server.hostname);
  const local = isOnLoopback ? undefined : await localAddressTowards(server);
  const hosts = new Set([...(local === undefined ? [] : [local]), ...ownAddresses(), ...HOSTS_OF_CONTAINERS]);
  const all = { bindAddress: ':0', hosts: [...hosts], isProbed: true };
  return isOnLoopback ? [{ bindAddress: `${LOOPBACK}:0`, hosts: [LOOPBACK], isProbed: true }, all] : [all];
}

/** The hosts with which an API server can address this machine, except by a tunnel. */
export function hostsOfThisMachine(): string[] {
  return [LOOPBACK, ...ownAddresses(), ...HOSTS_OF_CONTAINERS];
}

/** The IPv4 addresses of this machine, except loopback. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
}

/** The address of this machine in a connection to the server; undefined if it is not an IPv4 address. */
async function localAddressTowards({ hostname, port, protocol }: URL): Promise<string | undefined> {
  const defaultPort = protocol === 'http:' ? 80 : 443;
  const host = hostname.replaceAll(/[[\]]/g, '');
  const socket = connect({ host, port: port === '' ? defaultPort : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket.localFamily === 'IPv4' ? socket.localAddress : undefined;
  } catch {
    return undefined; // by a proxy, for example
  } finally {
    socket.destroy();
  }
}
