import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Subject {
  readonly commonName: string;
  readonly organization?: string | undefined;
}

const SERVER_NAMES = 'DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.0.0.1';

/** The keys and certificates of one control plane, as files of a folder. */
export class Pki {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the authority, the API server's certificate and the key that signs the tokens of ServiceAccounts. */
  static async create(folder: string): Promise<Pki> {
    await mkdir(folder, { recursive: true });
    const pki = new Pki(folder);
    await pki.createAuthority();
    await pki.issue('apiserver', { commonName: 'kube-apiserver' }, [
      `subjectAltName=${SERVER_NAMES}`,
      'extendedKeyUsage=serverAuth',
    ]);
    await pki.createKey('sa');
    return pki;
  }

  /** Uses the files of an earlier run in the folder. */
  static open(folder: string): Pki {
    return new Pki(folder);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes `<name>.key` and `<name>.crt`, with which a client is the user of that name. */
  async issueClient(
    name: string,
    organization?: string,
    extensions: readonly string[] = ['extendedKeyUsage=clientAuth'],
  ): Promise<void> {
    await this.issue(name, { commonName: name, organization }, extensions);
  }

  private async createAuthority(): Promise<void> {
    await this.createKey('ca');
    const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
    await this.sign('ca', { commonName: 'controlplane-ca' }, extensions, ['-signkey', this.path('ca.key')]);
  }

  private async issue(name: string, subject: Subject, extensions: readonly string[]): Promise<void> {
    await this.createKey(name);
    const serial = String(Date.now()) + String(Math.floor(Math.random() * 1e6));
    const signer = ['-CA', this.path('ca.crt'), '-CAkey', this.path('ca.key'), '-set_serial', serial];
    await this.sign(name, subject, extensions, signer);
  }

  /** P-256: an RSA key would take longer to make than etcd to start. */
  private async createKey(name: string): Promise<void> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(this.path(`${name}.key`), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  }

  private async sign(
    name: string,
    subject: Subject,
    extensions: readonly string[],
    signer: readonly string[],
  ): Promise<void> {
    const [request, extensionFile] = [this.path(`${name}.csr`), this.path(`${name}.ext`)];
    await writeFile(extensionFile, extensions.join('\n'));
    await openssl([
      'req',
      '-new',
      '-key',
      this.path(`${name}.key`),
      '-subj',
      distinguishedName(subject),
      '-out',
      request,
    ]);
    await openssl([
      ...['x509', '-req', '-in', request, '-days', '3650', '-sha256'],
      ...['-extfile', extensionFile, '-out', this.path(`${name}.crt`), ...signer],
    ]);
    await Promise.all([rm(request), rm(extensionFile)]);
  }
}

function distinguishedName({ commonName, organization }: Subject): string {
  const escape = (value: string): string => value.replace(/[\\/+=]/g, '\\$&');
  return `${organization === undefined ? '' : `/O=${escape(organization)}`}/CN=${escape(commonName)}`;
}

async function openssl(args: readonly string[]): Promise<void> {
  try {
    await run('openssl', args);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('openssl is needed to make the certificates of the control plane: install OpenSSL', {
      cause: error,
    });
  }
}
