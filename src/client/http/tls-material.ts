import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { OperatorError } from '../../base/operator-error.js';
import type { ClientCertificate, KeyMaterial, TlsConfig } from '../config/tls-config.js';

interface Pem {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * The current certificates. Files are read again for each connection.
 *
 * An invalid, empty or unreadable file does not replace the last valid certificates.
 */
export class TlsMaterial {
  /** Contains the key. `util.inspect` does not print private fields. */
  #loaded: { readonly pem: Pem; readonly context: SecureContext } | undefined;
  private reading:
    { readonly given: ClientCertificate | undefined; readonly context: Promise<SecureContext> } | undefined;

  constructor(private readonly config: TlsConfig) {}

  /**
   * Returns the context for a new connection: the same object until a certificate changes.
   *
   * @param given a client certificate that overrides the configured one
   * @throws OperatorError with the file or the field, if no valid certificates have been read.
   */
  context(given?: ClientCertificate): Promise<SecureContext> {
    if (this.reading && this.reading.given === given) return this.reading.context;
    const reading = { given, context: this.load(given) };
    this.reading = reading;
    const done = (): void => {
      if (this.reading === reading) this.reading = undefined;
    };
    reading.context.then(done, done);
    return reading.context;
  }

  /**
   * Returns a context for an HTTPS proxy, which may have a certificate of a public authority or of the cluster's.
   *
   * It has no client certificate.
   */
  async proxyContext(): Promise<SecureContext> {
    const { ca } = this.config;
    return createSecureContext({ ca: [...getCACertificates(), ...(ca ? [await readAuthorities(ca)] : [])] });
  }

  private async load(given: ClientCertificate | undefined): Promise<SecureContext> {
    try {
      const pem = await this.read(given);
      if (!this.#loaded || !isSame(pem, this.#loaded.pem)) this.#loaded = { pem, context: contextOf(pem, this.config) };
    } catch (error) {
      if (!this.#loaded) throw error;
    }
    return this.#loaded.context;
  }

  private async read(given: ClientCertificate | undefined): Promise<Pem> {
    const { ca, clientCertificate } = this.config;
    const pair = given ?? clientCertificate;
    return {
      ...(ca && { ca: await readAuthorities(ca) }),
      ...(pair && { cert: await readPem(pair.certificate, 'client-certificate') }),
      ...(pair && { key: await readPem(pair.key, 'client-key') }),
    };
  }
}

function isSame(a: Pem, b: Pem): boolean {
  return a.ca === b.ca && a.cert === b.cert && a.key === b.key;
}

function contextOf(pem: Pem, { insecureSkipVerify = false }: TlsConfig): SecureContext {
  try {
    return createSecureContext({ ...pem, ...(insecureSkipVerify && { ca: [] }), minVersion: 'TLSv1.2' });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isMismatch = code.includes('KEY_VALUES_MISMATCH');
    throw new OperatorError(isMismatch ? 'the client-key does not match the client-certificate' : `TLS: ${message}`, {
      code: 'E_CONFIG',
      cause: error,
    });
  }
}

/** Validates each certificate, because OpenSSL silently ignores truncated and damaged ones. */
async function readAuthorities(material: KeyMaterial): Promise<string> {
  const text = await readPem(material, 'certificate-authority');
  try {
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g) ?? [''];
    for (const block of blocks) new X509Certificate(block);
  } catch {
    throw wrongMaterial(material, 'certificate-authority', 'contains an invalid certificate');
  }
  return text;
}

async function readPem(material: KeyMaterial, field: string): Promise<string> {
  const text = 'file' in material ? await readPemFile(material.file, field) : material.data.reveal();
  if (text.includes('-----BEGIN ')) return text;
  throw wrongMaterial(material, field, text.trim() === '' ? 'is empty' : 'is not in PEM format');
}

function wrongMaterial(material: KeyMaterial, field: string, what: string): OperatorError {
  const where = 'file' in material ? material.file : `${field}-data`;
  return new OperatorError(`${where} ${what}`, { code: 'E_CONFIG', hint: `check ${field} in the kubeconfig` });
}

async function readPemFile(file: string, field: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${field} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}`, {
      code: 'E_CONFIG',
      cause: error,
    });
  }
}
