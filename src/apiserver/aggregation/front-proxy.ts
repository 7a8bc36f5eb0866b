import type { Clock } from '../../base/clock.js';
import { createClientCertificate, type KeyCertificate, type ServingIdentity } from '../../pki/certificate.js';

const NAME = 'front-proxy-client';

/**
 * The client certificate with which this server authenticates to the servers of APIServices. Its CA also signs other
 * client certificates, so only this certificate's name is allowed as a front proxy.
 */
export class FrontProxy {
  private made: KeyCertificate | undefined;

  constructor(
    private readonly identity: ServingIdentity | undefined,
    private readonly clock: Clock,
  ) {}

  /** Undefined without a CA to sign it. */
  get certificate(): KeyCertificate | undefined {
    const { caKey } = this.identity ?? {};
    if (caKey) this.made ??= createClientCertificate(caKey, NAME, this.clock.now());
    return this.made;
  }

  /** The data of the ConfigMap extension-apiserver-authentication, with which other servers verify this one. */
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
