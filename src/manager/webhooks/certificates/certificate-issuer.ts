import type { Secret } from '../../../api/kinds/kinds.js';
import type { Cancel, Clock } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import { formatTime } from '../../../base/timestamp.js';
import { thrownError } from '../../../base/thrown-error.js';
import { ConflictError } from '../../../client/api-error.js';
import type { Client } from '../../../client/client.js';
import { createServingCertificate, dnsName } from '../../../pki/certificate.js';
import type { ServingCertificate } from '../../serving-certificate.js';
import { readAuthority, storeAuthority, type SecretLocation } from './authority-secret.js';
import type { CertificateMetrics } from './certificate-metrics.js';
import { ContestedWrites, type ContestRecorder, type KeptValue } from './contested-writes.js';
import {
  disown,
  inject,
  keptBundle,
  nameOf,
  readTarget,
  type InjectionTarget,
  type ReadTarget,
} from './injection-target.js';
import {
  BACKDATED_MS,
  bundleOf,
  initialAuthority,
  isValidAt,
  nextState,
  SERVING_MS,
  type DatedAuthority,
  type SharedAuthority,
} from './shared-authority.js';

/** The longest time between two checks of the cluster and the clock, also after a machine was suspended. */
const POLL_MS = 10_000;
/** The time between a write and the next check, and between attempts while replicas write at the same time. */
const AGAIN_MS = 200;

/** The time between two messages about a lasting failure. */
const REPEAT_MS = 3600_000;
/** The time in which Events that wait are written at the end. */
const EVENT_FLUSH_MS = 2000;
/** The longest time for which API servers may not trust the certificate before the process is no longer ready. */
const UNTRUSTED_MS = 60_000;

/** The objects of an operator's certificates. */
export interface IssuerOptions extends SecretLocation, ContestRecorder {
  readonly client: Pick<Client, 'get' | 'update' | 'apply' | 'patch'>;
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
  readonly notAfterMs: number;
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
  /** The last state that was read: it restores an emptied Secret, and signs while the Secret cannot be read. */
  private known: SharedAuthority | undefined;
  /** The bundle that was found everywhere, and since when; monotonic. */
  private trusted: { readonly bundle: string; readonly sinceMs: number } | undefined;
  /** True once all objects were read with the certificate's authority. */
  private isTrusted = false;
  /** Since when an object lacks the certificate's authority; monotonic. */
  private untrustedSinceMs: number | undefined;
  private reported: { readonly message: string; readonly atMs: number } | undefined;
  /** The validity that was reported because it begins in the future. */
  private reportedFutureMs: number | undefined;
  private cancel: Cancel | undefined;
  private running: Promise<void> | undefined;
  private requests = 0;
  private readonly contested: ContestedWrites;

  constructor(
    private readonly options: IssuerOptions,
    private readonly signal: AbortSignal,
  ) {
    this.contested = new ContestedWrites(options.clock, options.logger, options);
  }

  /** True while a valid certificate is served that API servers trust. */
  get isReady(): boolean {
    const { clock } = this.options;
    if (!this.isTrusted || this.issued === undefined || !isValidAt(this.issued, clock.now())) return false;
    return this.untrustedSinceMs === undefined || clock.monotonic() - this.untrustedSinceMs < UNTRUSTED_MS;
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
    await this.options.events.close(EVENT_FLUSH_MS);
  }

  private async run(): Promise<void> {
    const { requests } = this;
    const hasChanged = await this.attempt();
    this.running = undefined;
    if (this.signal.aborted) return;
    const waitMs = hasChanged || this.requests !== requests ? AGAIN_MS : Math.min(POLL_MS, this.contested.untilDueMs());
    this.cancel = this.options.clock.schedule(waitMs, () => {
      this.request();
    });
  }

  /** Returns true if something was written, so that another round is due. Never rejects. */
  private async attempt(): Promise<boolean> {
    const { metrics } = this.options;
    try {
      metrics?.read();
      const hasChanged = await this.round();
      this.reported = undefined;
      return hasChanged;
    } catch (thrown) {
      if (this.signal.aborted) return false;
      if (thrown instanceof ConflictError) return true; // another replica was first
      metrics?.readFailed();
      this.report(thrownError(thrown));
      return false;
    }
  }

  /** Logs an error when it appears, and again each hour. */
  private report(err: Error): void {
    const { logger, clock } = this.options;
    const atMs = clock.monotonic();
    if (err.message === this.reported?.message && atMs - this.reported.atMs < REPEAT_MS) return;
    logger.error('Cannot maintain the certificate of the webhooks', { err });
    this.reported = { message: err.message, atMs };
  }

  /** Logs once that an authority was created with another clock: this clock, or that of another replica, is wrong. */
  private reportFuture({ signing, next }: SharedAuthority, nowMs: number): void {
    const notBeforeMs = Math.max(signing?.notBeforeMs ?? 0, next?.notBeforeMs ?? 0);
    if (notBeforeMs > nowMs && notBeforeMs !== this.reportedFutureMs) {
      const skewSeconds = Math.round((notBeforeMs + BACKDATED_MS - nowMs) / 1000);
      this.options.logger.warn('The authority of the webhooks is not valid yet and is replaced', {
        validFrom: formatTime(notBeforeMs),
        skewSeconds,
        hint: 'check for clock skew between the machines of the replicas',
      });
    }
    this.reportedFutureMs = notBeforeMs > nowMs ? notBeforeMs : undefined;
  }

  private async round(): Promise<boolean> {
    const { client, clock, targets } = this.options;
    const nowMs = clock.now();
    const read = await Promise.all(targets.map((target) => readTarget(client, target, this.signal)));
    const present = read.filter((target) => target !== undefined);
    this.noteTrust(present);
    const { object, state } = await readAuthority(client, this.options, this.signal).catch(async (error: unknown) => {
      await this.continueWithKnown(present, nowMs);
      throw error;
    });
    if (!state) {
      await this.continueWithKnown(present, nowMs);
      const trusted = present.flatMap(({ bundles }) => bundles).join('\n');
      const restored = this.known ?? initialAuthority(trusted, nowMs);
      if (!this.contested.isDue(this.keptSecret(restored), object, [['data']])) return false;
      await this.store(object, restored);
      return true;
    }
    this.known = state;
    this.contested.found(this.keptSecret(state).object);
    this.reportFuture(state, nowMs);
    if (state.signing) this.issue(state.signing, nowMs);
    const bundle = bundleOf(state);
    if (await this.injectMissing(present, bundle)) return true;
    if (this.trusted?.bundle !== bundle) this.trusted = { bundle, sinceMs: clock.monotonic() };
    this.noteTrust(present);
    const next = nextState(state, nowMs, clock.monotonic() - this.trusted.sinceMs);
    if (!next) return false;
    await this.store(object, next);
    return true;
  }

  /** Compares what the objects trust with the authority of the certificate that is served. */
  private noteTrust(present: readonly ReadTarget[]): void {
    const { issued } = this;
    if (!issued) return;
    const untrusting = present.filter(({ bundles }) => bundles.some((bundle) => !bundle.includes(issued.authority)));
    if (untrusting.length === 0) this.isTrusted = true;
    // The webhooks of other objects need the process while writes to one are held.
    if (untrusting.every((read) => this.contested.isHeld(nameOf(read)))) this.untrustedSinceMs = undefined;
    else this.untrustedSinceMs ??= this.options.clock.monotonic();
  }

  /**
   * Keeps the certificate valid without the Secret. A `caBundle` is set only if it is empty: another one may be that of an
   * authority which this process has not read.
   */
  private async continueWithKnown(present: readonly ReadTarget[], nowMs: number): Promise<void> {
    const { known } = this;
    if (!known?.signing) return;
    this.issue(known.signing, nowMs);
    const wiped = present.filter(({ bundles }) => bundles.length > 0 && bundles.every((bundle) => bundle === ''));
    if (wiped.length > 0) await this.injectMissing(wiped, bundleOf(known));
  }

  private async store(read: Secret, state: SharedAuthority): Promise<void> {
    const { client, logger } = this.options;
    await storeAuthority(client, read, state, this.signal);
    this.known = state;
    this.contested.wrote(this.keptSecret(state));
    const { signing, next, previous } = state;
    logger.info('Stored the authority of the webhooks', {
      secret: `${this.options.namespace}/${this.options.secret}`,
      certificates: [signing && 'signing', next && 'next', previous && 'previous'].filter(Boolean).join(', '),
    });
  }

  private keptSecret(state: SharedAuthority): KeptValue {
    const object = `Secret ${this.options.namespace}/${this.options.secret}`;
    return { object, field: 'data', value: bundleOf(state), hint: 'let the other client leave its data alone' };
  }

  /** Returns true if the bundle was written to an object that lacked it. */
  private async injectMissing(present: readonly ReadTarget[], bundle: string): Promise<boolean> {
    const { client, logger } = this.options;
    const [lacking = [], others = []] = [true, false].map((wanted) =>
      present.filter(({ bundles }) => bundles.some((trusted) => trusted !== bundle) === wanted),
    );
    for (const read of others) {
      this.contested.found(nameOf(read));
      if (read.isOwned) await disown(client, read, this.signal);
    }
    if (lacking.length > 0) this.trusted = undefined;
    const due = lacking.filter((read) => this.contested.isDue(keptBundle(read, bundle), read.object, read.paths));
    for (const read of due) {
      await inject(client, read, bundle, this.signal);
      this.contested.wrote(keptBundle(read, bundle));
      logger.info(`Set the caBundle of ${nameOf(read)}`);
    }
    return due.length > 0;
  }

  /** Serves a new certificate if the authority has changed, or after two thirds of the lifetime of the last one. */
  private issue(authority: DatedAuthority, nowMs: number): void {
    const { hosts, metrics, logger, onCertificate } = this.options;
    const { certPem } = authority;
    const isCurrent =
      this.issued?.authority === certPem && this.issued.notBeforeMs <= nowMs && nowMs < this.issued.renewAtMs;
    if (isCurrent || !isValidAt(authority, nowMs)) return;
    const notBeforeMs = Math.max(nowMs - BACKDATED_MS, authority.notBeforeMs);
    const notAfterMs = Math.min(nowMs + SERVING_MS, authority.notAfterMs);
    const serving = createServingCertificate(authority.key, {
      commonName: 'kindwright-webhooks',
      names: hosts.map(dnsName),
      notBeforeMs,
      notAfterMs,
    });
    onCertificate({ cert: serving.certPem, key: serving.keyPem });
    const renewAtMs = nowMs + ((notAfterMs - nowMs) * 2) / 3;
    this.issued = { authority: certPem, notBeforeMs, renewAtMs, notAfterMs };
    metrics?.expires({ servingMs: notAfterMs, authorityMs: authority.notAfterMs });
    logger.info('Serving a new webhook certificate', { expires: formatTime(notAfterMs) });
  }
}
