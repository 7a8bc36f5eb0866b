import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Clock } from '../base/clock.js';
import type { CertificateMetrics } from './webhooks/certificates/certificate-metrics.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';

const RELOAD_MS = 10_000;

/** A certificate and its key, as PEM. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads `tls.crt` and `tls.key` of a folder, the form of a mounted Secret of type kubernetes.io/tls.
 *
 * @throws OperatorError that names the file
 */
export function readServingCertificate(folder: string): ServingCertificate {
  const hint = 'pass a folder that contains tls.crt and tls.key';
  return {
    cert: readCertificateFile(join(folder, 'tls.crt'), hint),
    key: readCertificateFile(join(folder, 'tls.key'), hint),
  };
}

/** Returns a certificate that clients cannot verify; as with controller-runtime, it is created at each start. */
export async function selfSignedCertificate(): Promise<ServingCertificate> {
  // Loaded only here: most managers create no certificates.
  const { createServingIdentity } = await import('../pki/certificate.js');
  const { certPem, keyPem } = createServingIdentity(new SystemClock().now());
  return { cert: certPem, key: keyPem };
}

/** Calls back with each new certificate. An unreadable one is ignored, because it may be incomplete. */
export function watchServingCertificate(
  folder: string,
  clock: Clock,
  onChange: (certificate: ServingCertificate) => void,
  metrics?: CertificateMetrics,
): Cancel {
  let present = JSON.stringify(readServingCertificate(folder));
  let cancel = clock.schedule(RELOAD_MS, look);
  function look(): void {
    cancel = clock.schedule(RELOAD_MS, look);
    metrics?.read();
    try {
      const certificate = readServingCertificate(folder);
      if (JSON.stringify(certificate) === present) return;
      onChange(certificate);
      present = JSON.stringify(certificate);
    } catch {
      metrics?.readFailed(); // read again at the next change
    }
  }
  return () => {
    cancel();
  };
}

/** @throws OperatorError that names the file */
export function readCertificateFile(path: string, hint = 'pass a PEM file'): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read: ${(cause as Error).message}`, {
      code: 'E_CERTIFICATE',
      hint,
      cause,
    });
  }
}
