import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.js';
import { OperatorError } from '../../base/operator-error.js';
import { SystemClock } from '../../base/system-clock.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { createServingIdentity, type ServingIdentity } from '../../pki/certificate.js';
import { readFlagFile } from './read-flag-file.js';

/** The flags of kube-apiserver for its certificate. */
export interface ServingFiles {
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** Contains `apiserver.crt` and `apiserver.key`, as envtest creates them; missing files are created. */
  readonly certDir?: string;
}

/**
 * Returns the serving certificate: from the named files, from the folder, or a new one that is written to the folder.
 *
 * @throws OperatorError when only one of the two files is given
 */
export function servingIdentity({ tlsCertFile, tlsPrivateKeyFile, certDir }: ServingFiles): ServingIdentity {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) return identityIn(tlsCertFile, tlsPrivateKeyFile);
  if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) throw incompletePair();
  if (certDir === undefined) return createServingIdentity(new SystemClock().now());
  const [certFile, keyFile] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  if (existsSync(certFile) && existsSync(keyFile)) return identityIn(certFile, keyFile);
  const made = createServingIdentity(new SystemClock().now());
  makeFolder(certDir);
  writeAtomically(certFile, made.certPem + made.caPem);
  writeAtomically(keyFile, made.keyPem, 0o600);
  return made;
}

function incompletePair(): OperatorError {
  return new OperatorError('--tls-cert-file and --tls-private-key-file must be used together', {
    code: 'E_ENVTEST_FLAG',
    hint: 'pass both flags, or neither',
  });
}

function identityIn(certFile: string, keyFile: string): ServingIdentity {
  const certPem = readFlagFile('--tls-cert-file', certFile);
  return { certPem, keyPem: readFlagFile('--tls-private-key-file', keyFile), caPem: certPem };
}
