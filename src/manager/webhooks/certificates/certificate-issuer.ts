import { Secret } from '../../../api/kinds.js';
import type { Cancel, Clock } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import { OperatorError } from '../../../base/operator-error.js';
import { formatTime } from '../../../base/timestamp.js';
import { thrownError } from '../../../base/thrown-error.js';
import { ConflictError, NotFoundError } from '../../../client/api-error.js';
import type { Client } from '../../../client/client.js';
import { createServingCertificate, dnsName } from '../../../pki/certificate.js';
import type { ServingCertificate } from '../../serving-certificate.js';
import type { CertificateMetrics } from './certificate-metrics.js';
import { disown, inject, readTarget, type InjectionTarget, type ReadTarget } from './injection-target.js';
import {
  BACKDATED_MS,
  bundleOf,
  initialAuthority,
  nextState,
  parseSharedAuthority,
  secretContent,
  SERVING_MS,
  type DatedAuthority,
  type SharedAuthority,
} from './shared-authority.js';

/** The longest time between two checks of the cluster and the clock, also after a machine was suspended. */
const POLL_MS = 10_000;
/** The time between a write and the next check, and between attempts while replicas write at once. */
const AGAIN_MS = 200;

/** The objects of an operator's certificates. */
export interface IssuerOptions {
  readonly client: Pick<Client, 'get' | 'update' | 'apply' | 'patch'>;
  readonly namespace: string;
  /** The name of the Secret; it must exist, and may be empty. */
  readonly secret: string;
  /** The names of the server. */
  readonly hosts: readonly string[];
  readonly targets: readonly InjectionTarget[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CertificateMetrics | undefined;
  /** Called with each certificate to serve. */
  readonly onCertificate: (certificate: ServingCertificate) => void;
}

interface Issued {
  readonly authority: string;
  readonly notBeforeMs: number;
  readonly renewAtMs: number;
}

/** The Secret as it was read. */
interface ReadSecret {
  readonly object: Secret;
  readonly state: SharedAuthority | undefined;
}

/**
 * Issues the certificates of a process from an authority that all replicas of an operator share in a Secret, and makes
 * API servers trust the authority.
 *
 * Each round reads the objects and performs the next steps of a rotation. All state is in the Secret, so that any replica continues a
 * rotation. Writes hold only for the resourceVersion that was read. The objects with a `caBundle` are read before the
 * Secret: a replica that was stalled with an old authority cannot remove a newer one from them.
 */
export class CertificateIssuer {
  private issued: Issued | undefined;
  /** The last state that was read, with which an emptied Secret is restored. */
  private known: SharedAuthority | undefined;
  /** The bundle that was found everywhere, and since when; monotonic. */
  private trusted: { readonly bundle: string; readonly sinceMs: number } | undefined;
  private isTrusted = false;
  private lastError = '';
  private cancel: Cancel | undefined;
  private running: Promise<void> | undefined;
  private requests = 0;

  constructor(
    private readonly options: IssuerOptions,
    private readonly signal: AbortSignal,
  ) {}

  /** True once a certificate is served that API servers trust. */
  get isReady(): boolean {
    return this.issued !== undefined && this.isTrusted;
  }

  /** Starts a round soon, because an object has changed. The first call starts the issuer. */
  request(): void {
    this.requests++;
    if (this.running || this.signal.aborted) return;
    this.cancel?.();
    this.running = this.run();
  }

  /** Resolves when the last request has ended. */
  async close(): Promise<void> {
    this.cancel?.();
    await this.running;
  }

  private async run(): Promise<void> {
    const { requests } = this;
    const hasChanged = await this.attempt();
    this.running = undefined;
    if (this.signal.aborted) return;
    this.cancel = this.options.clock.schedule(hasChanged || this.requests !== requests ? AGAIN_MS : POLL_MS, () => {
      this.request();
    });
  }

  /** Returns true if something was written, so that another round is due. Never rejects. */
  private async attempt(): Promise<boolean> {
    const { metrics, logger } = this.options;
    try {
      metrics?.read();
      const hasChanged = await this.round();
      this.lastError = '';
      return hasChanged;
    } catch (thrown) {
      if (this.signal.aborted) return false;
      if (thrown instanceof ConflictError) return true; // another replica was first
      const error = thrownError(thrown);
      metrics?.readFailed();
      if (error.message !== this.lastError)
        logger.error('Cannot maintain the certificate of the webhooks', { err: error });
      this.lastError = error.message;
      return false;
    }
  }

  private async round(): Promise<boolean> {
    const { client, clock, targets } = this.options;
    const nowMs = clock.now();
    const read = await Promise.all(targets.map((target) => readTarget(client, target, this.signal)));
    const present = read.filter((target) => target !== undefined);
    const { object, state } = await this.readSecret();
    if (!state) {
      const trusted = present.flatMap(({ bundles }) => bundles).join('\n');
      await this.store(object, this.known ?? initialAuthority(trusted, nowMs));
      return true;
    }
    this.known = state;
    if (state.signing) this.issue(state.signing, nowMs);
    const bundle = bundleOf(state);
    if (await this.injectMissing(present, bundle)) return true;
    if (this.trusted?.bundle !== bundle) this.trusted = { bundle, sinceMs: clock.monotonic() };
    this.isTrusted = true;
    const next = nextState(state, nowMs, clock.monotonic() - this.trusted.sinceMs);
    if (!next) return false;
    await this.store(object, next);
    return true;
  }

  private async readSecret(): Promise<ReadSecret> {
    const { client, secret, namespace } = this.options;
    try {
      const object = await client.get(Secret, secret, { namespace, signal: this.signal });
      const data = Object.entries(object.data ?? {}).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]);
      return { object, state: parseSharedAuthority(Object.fromEntries(data) as Record<string, string>) };
    } catch (cause) {
      if (cause instanceof NotFoundError)
        throw new OperatorError(`the Secret ${namespace}/${secret} of the webhooks' authority does not exist`, {
          code: 'E_CERTIFICATE',
          hint: 'apply the generated manifests again, which contain it without data',
          cause,
        });
      if (!(cause instanceof OperatorError) || cause.code !== 'E_CERTIFICATE') throw cause;
      throw new OperatorError(`the Secret ${namespace}/${secret} is damaged: ${cause.message}`, {
        code: 'E_CERTIFICATE',
        hint: cause.hint,
        cause,
      });
    }
  }

  private async store(read: Secret, state: SharedAuthority): Promise<void> {
    const { client, logger, secret, namespace } = this.options;
    const encoded = Object.entries(secretContent(state)).map(([key, text]) => [
      key,
      Buffer.from(text).toString('base64'),
    ]);
    const data = Object.fromEntries(encoded) as Record<string, string>;
    await client.update(Secret, { ...read, data }, { namespace, signal: this.signal });
    const { signing, next, previous } = state;
    logger.info('Stored the authority of the webhooks', {
      secret: `${namespace}/${secret}`,
      certificates: [signing && 'signing', next && 'next', previous && 'previous'].filter(Boolean).join(', '),
    });
  }

  /** Returns true if an object lacked the bundle. */
  private async injectMissing(present: readonly ReadTarget[], bundle: string): Promise<boolean> {
    const { client, logger } = this.options;
    const [lacking = [], others = []] = [true, false].map((wanted) =>
      present.filter(({ bundles }) => bundles.some((trusted) => trusted !== bundle) === wanted),
    );
    for (const read of others) if (read.isOwned) await disown(client, read, this.signal);
    if (lacking.length > 0) this.trusted = undefined;
    for (const read of lacking) {
      await inject(client, read, bundle, this.signal);
      logger.info(`Set the caBundle of ${read.target.kind.kind} ${read.target.name}`);
    }
    return lacking.length > 0;
  }

  /** Serves a new certificate if the authority has changed, or after two thirds of the lifetime of the last one. */
  private issue(authority: DatedAuthority, nowMs: number): void {
    const { hosts, metrics, logger, onCertificate } = this.options;
    const { certPem } = authority;
    const isCurrent =
      this.issued?.authority === certPem && this.issued.notBeforeMs <= nowMs && nowMs < this.issued.renewAtMs;
    if (isCurrent || nowMs >= authority.notAfterMs) return;
    const notBeforeMs = nowMs - BACKDATED_MS;
    const notAfterMs = Math.min(nowMs + SERVING_MS, authority.notAfterMs);
    const serving = createServingCertificate(authority.key, {
      commonName: 'kindwright-webhooks',
      names: hosts.map(dnsName),
      notBeforeMs,
      notAfterMs,
    });
    onCertificate({ cert: serving.certPem, key: serving.keyPem });
    this.issued = { authority: certPem, notBeforeMs, renewAtMs: nowMs + ((notAfterMs - nowMs) * 2) / 3 };
    metrics?.expires({ servingMs: notAfterMs, authorityMs: authority.notAfterMs });
    logger.info('Serving a new webhook certificate', { expires: formatTime(notAfterMs) });
  }
}
