import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Secret } from '../secret.js';
import type { Credentials } from './credentials.js';

export interface AuthProviderConfig {
  readonly name: string;
  readonly config: ReadonlyMap<string, Secret>;
}

/** The plugin checks the expiry of its token, so that frequent calls are cheap but not free. */
const MAX_AGE_MS = 10_000;

/**
 * The legacy `auth-provider` of a kubeconfig (oidc, azure, gcp), implemented by client-node.
 *
 * That library takes 0.7 s to load, so it is loaded only for such a kubeconfig.
 */
export class AuthProvider implements Credentials {
  #header: string | undefined;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private running: Promise<string | undefined> | undefined;
  private fetch: (() => Promise<string | undefined>) | undefined;

  constructor(
    private readonly config: AuthProviderConfig,
    private readonly clock: Clock,
  ) {}

  authorization(): string | undefined | Promise<string | undefined> {
    if (this.#header !== undefined && this.clock.monotonic() - this.readAtMs < MAX_AGE_MS) return this.#header;
    this.running ??= this.obtain().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  clientCertificate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  reject(authorization: string | undefined): boolean {
    if (this.#header === authorization) this.#header = undefined;
    return true;
  }

  private async obtain(): Promise<string | undefined> {
    this.fetch ??= await this.load();
    const header = await this.fetch().catch(() => undefined); // its errors can contain the output of the plugin
    if (header === undefined) {
      throw new OperatorError(`auth-provider ${this.config.name} returned no token`, {
        code: 'E_AUTH_PROVIDER',
        hint: 'log in again, or use a credential plugin (exec), which replaces auth-provider',
      });
    }
    this.#header = header;
    this.readAtMs = this.clock.monotonic();
    return header;
  }

  private async load(): Promise<() => Promise<string | undefined>> {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const { name, config } = this.config;
    const settings = Object.fromEntries([...config].map(([key, value]) => [key, value.reveal()]));
    const kubeconfig = new KubeConfig();
    kubeconfig.loadFromClusterAndUser(
      { name: 'cluster', server: 'https://localhost', skipTLSVerify: false },
      { name: 'user', authProvider: { name, config: settings } },
    );
    return async () => {
      const options: { headers: Record<string, string> } = { headers: {} };
      await kubeconfig.applyToHTTPSOptions(options);
      return options.headers['Authorization'];
    };
  }
}
