import { OperatorError } from '../base/operator-error.js';

/** Where a server listens; without a host on all interfaces. */
export interface BindAddress {
  readonly host: string | undefined;
  readonly port: number;
}

const ADDRESS = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]*)):(?<port>\d{1,5})$/;

/**
 * Reads `:8080`, `127.0.0.1:8080` or `[::1]:8080`; port 0 is any free one. The address `0` means: do not serve.
 *
 * @throws OperatorError when it is none of these.
 */
export function parseBindAddress(address: string): BindAddress | undefined {
  if (address === '0') return undefined;
  const { v6, host, port } = ADDRESS.exec(address)?.groups ?? {};
  if (port !== undefined && Number(port) <= 65_535) return { host: v6 ?? (host || undefined), port: Number(port) };
  throw new OperatorError(`bind address '${address}' is not host:port`, {
    code: 'E_BIND_ADDRESS',
    hint: `for example ':8080', '127.0.0.1:8080', or '0' to serve nothing`,
  });
}
