import { createPrivateKey, X509Certificate } from 'node:crypto';
import { OperatorError } from '../../../base/operator-error.js';
import { formatTime, parseTime } from '../../../base/timestamp.js';
import { createAuthority, type Authority } from '../../../pki/certificate.js';

const DAY_MS = 24 * 3600_000;
const AUTHORITY_MS = 365 * DAY_MS;
/** The lifetime of serving certificates: the longest time that an earlier authority must stay trusted. */
export const SERVING_MS = 7 * DAY_MS;
/** Certificates are valid from this time before their creation, for clients with slow clocks. */
export const BACKDATED_MS = 3600_000;
/** Longer than a process or a request may be stalled. */
const STALLED_MS = 3600_000;
/**
 * The time until no request uses an earlier `caBundle`: all API servers have learned of the change, and requests that
 * started before have ended, which a definition converts with its earlier settings. API servers end them after 60 s.
 */
const PROPAGATION_MS = 90_000;

/** An authority and the time in which its certificate is valid. */
export interface DatedAuthority extends Authority {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The authorities that the replicas of an operator share in a Secret. */
export interface SharedAuthority {
  /** Signs the certificates of all replicas. Undefined until API servers trust the first one. */
  readonly signing?: DatedAuthority;
  /** Will sign when all API servers trust it. */
  readonly next?: DatedAuthority;
  /** Certificates that signed before, in PEM, and the time when the last certificate signed by them has expired. */
  readonly previous?: { readonly certPem: string; readonly untilMs: number };
}

/** The `data` of the Secret, decoded. */
export type SecretContent = Readonly<Record<string, string>>;

/**
 * Reads the authorities; undefined if the Secret is empty, as in the manifests.
 *
 * @throws OperatorError for data that another program wrote, or that is damaged
 */
export function parseSharedAuthority(data: SecretContent): SharedAuthority | undefined {
  if (Object.keys(data).length === 0) return undefined;
  const signing = authorityAt(data, 'ca');
  const next = authorityAt(data, 'next-ca');
  const previous = previousIn(data);
  if (!signing && !next) throw damaged('it contains neither ca.crt nor next-ca.crt');
  return { ...(signing && { signing }), ...(next && { next }), ...(previous && { previous }) };
}

function previousIn(data: SecretContent): SharedAuthority['previous'] {
  const certPem = data['previous-ca.crt'];
  if (certPem === undefined) return undefined;
  const untilMs = parseTime(data['previous-ca.until'] ?? '');
  if (certificatesIn(certPem).length === 0 || untilMs === undefined)
    throw damaged('previous-ca.crt or previous-ca.until is invalid');
  return { certPem, untilMs };
}

/** The opposite of `parseSharedAuthority`. */
export function secretContent({ signing, next, previous }: SharedAuthority): SecretContent {
  return {
    ...(signing && { 'ca.crt': signing.certPem, 'ca.key': keyPem(signing) }),
    ...(next && { 'next-ca.crt': next.certPem, 'next-ca.key': keyPem(next) }),
    ...(previous && { 'previous-ca.crt': previous.certPem, 'previous-ca.until': formatTime(previous.untilMs) }),
  };
}

/** The certificates that API servers must trust, in PEM. Sorted, so that it stays equal when `next` begins to sign. */
export function bundleOf({ signing, next, previous }: SharedAuthority): string {
  return [signing?.certPem, next?.certPem, previous?.certPem]
    .filter((pem) => pem !== undefined)
    .sort()
    .join('');
}

/**
 * The authorities of an operator that has none.
 *
 * If API servers trust other authorities, another program, or a replica whose Secret was emptied, may still serve
 * certificates of these. They stay trusted, and the new authority signs once it is trusted too.
 *
 * @param trusted the `caBundle` of the webhooks, in PEM; may be empty or invalid
 */
export function initialAuthority(trusted: string, nowMs: number): SharedAuthority {
  const created = newAuthority(nowMs);
  const valid = certificatesIn(trusted).filter(({ validToDate }) => validToDate.getTime() > nowMs);
  if (valid.length === 0) return { signing: created };
  const certPem = [...new Set(valid.map(String))].join('');
  return { next: created, previous: { certPem, untilMs: nowMs + SERVING_MS } };
}

/**
 * Returns the next state of a rotation; undefined if nothing is to be done.
 *
 * The order keeps each certificate that is served trusted: a new authority is trusted for 90 s before it signs, and
 * stays trusted until the last certificate that it signed has expired.
 *
 * @param trustedMs the time for which this process has seen the bundle of `state` in all places that API servers read
 */
export function nextState(state: SharedAuthority, nowMs: number, trustedMs: number): SharedAuthority | undefined {
  const { signing, next, previous } = state;
  const isSettled = trustedMs >= PROPAGATION_MS;
  if (previous && nowMs >= previous.untilMs && isSettled) return withoutPrevious(state);
  if (!next) return isRenewalDue(signing, nowMs) ? { ...state, next: newAuthority(nowMs) } : undefined;
  // A next authority that a replica with a fast clock created must not sign before it is valid.
  if (!isValidAt(next, nowMs)) return { ...state, next: newAuthority(nowMs) };
  // Certificates of an expired authority are rejected anyway, so its replacement need not wait. For one from the future it
  // waits: the clock of this process may be the wrong one, and those of other replicas right.
  const isExpired = signing !== undefined && nowMs >= signing.notAfterMs;
  return isSettled || isExpired ? promoted(state, next, nowMs) : undefined;
}

function withoutPrevious({ signing, next }: SharedAuthority): SharedAuthority {
  return { ...(signing && { signing }), ...(next && { next }) };
}

/** Returns whether a certificate is valid at a time; it may have been created with a clock that was ahead. */
export function isValidAt(
  { notBeforeMs, notAfterMs }: Pick<DatedAuthority, 'notBeforeMs' | 'notAfterMs'>,
  nowMs: number,
): boolean {
  return notBeforeMs <= nowMs && nowMs < notAfterMs;
}

function isRenewalDue(signing: DatedAuthority | undefined, nowMs: number): boolean {
  if (!signing || !isValidAt(signing, nowMs)) return true;
  const { notBeforeMs, notAfterMs } = signing;
  return nowMs >= notAfterMs - (notAfterMs - notBeforeMs) / 3;
}

/** The state in which `next` signs; undefined while an earlier authority must stay trusted beside a valid one. */
function promoted(
  { signing, previous }: SharedAuthority,
  next: DatedAuthority,
  nowMs: number,
): SharedAuthority | undefined {
  if (!signing) return { signing: next, ...(previous && { previous }) };
  if (previous && isValidAt(signing, nowMs)) return undefined;
  const certPem = signing.certPem + (previous?.certPem ?? '');
  return { signing: next, previous: { certPem, untilMs: nowMs + SERVING_MS + STALLED_MS } };
}

/** The certificates of a PEM text; those that cannot be parsed are left out. */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function newAuthority(nowMs: number): DatedAuthority {
  const validity = { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + AUTHORITY_MS };
  return { ...createAuthority(validity), ...validity };
}

function authorityAt(data: SecretContent, name: string): DatedAuthority | undefined {
  const [certPem, keyText] = [data[`${name}.crt`], data[`${name}.key`]];
  if (certPem === undefined && keyText === undefined) return undefined;
  try {
    const certificate = new X509Certificate(certPem ?? '');
    const key = createPrivateKey(keyText ?? '');
    if (!certificate.ca || !certificate.checkPrivateKey(key)) throw new Error('they do not belong together');
    const [notBeforeMs, notAfterMs] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
    return { certPem: certPem ?? '', key, notBeforeMs, notAfterMs };
  } catch (cause) {
    throw damaged(`${name}.crt or ${name}.key is invalid: ${(cause as Error).message}`, cause);
  }
}

function keyPem({ key }: Authority): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function damaged(reason: string, cause?: unknown): OperatorError {
  return new OperatorError(reason, {
    code: 'E_CERTIFICATE',
    hint: 'restore the Secret, or remove its data to let the operator create a new authority',
    cause,
  });
}
