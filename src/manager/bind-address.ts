import { OperatorError } from '../base/operator-error.js';

/** The address of a server; without a host it listens on all interfaces. */
export interface BindAddress {
  readonly host: string | undefined;
  readonly port: number;
}

const ADDRESS = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]*)):(?<port>\d{1,5})$/;

/**
 * Parses `:8080`, `127.0.0.1:8080` or `[::1]:8080`; port 0 is any free port. The address `0` disables the server.
 *
 * @throws OperatorError for any other form.
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
