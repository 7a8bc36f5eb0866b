import type { Clock } from '../../base/clock.js';
import { createClientCertificate, type KeyCertificate, type ServingIdentity } from '../../pki/certificate.js';

const NAME = 'front-proxy-client';

/**
 * How this server proves itself to those behind APIServices.
 *
 * Its authority signs clients' certificates too: what tells them apart is the name, the only one that is allowed.
 */
export class FrontProxy {
  private made: KeyCertificate | undefined;

  constructor(
    private readonly identity: ServingIdentity | undefined,
    private readonly clock: Clock,
  ) {}

  /** Undefined where there is no authority to sign it. */
  get certificate(): KeyCertificate | undefined {
    const { caKey } = this.identity ?? {};
    if (caKey) this.made ??= createClientCertificate(caKey, NAME, this.clock.now());
    return this.made;
  }

  /** What servers have to know to believe this one: the ConfigMap extension-apiserver-authentication. */
  get authentication(): Readonly<Record<string, string>> {
    const { caKey, caPem } = this.identity ?? {};
    if (!caKey || caPem === undefined) return {};
    return {
      'client-ca-file': caPem,
      'requestheader-allowed-names': JSON.stringify([NAME]),
      'requestheader-client-ca-file': caPem,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    };
  }
}
