import { keyOf } from '../../api/objects/object-key.js';
import type { ServiceAccountTokens } from '../auth/service-account-token.js';
import { objectAt, type ApiObject } from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';

const TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';

/**
 * Issues the non-expiring tokens of service account token Secrets, and deletes these Secrets with their service
 * accounts.
 */
export class SecretTokenController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly secrets;
  private readonly accounts;

  constructor(
    private readonly client: ClusterClient,
    private readonly tokens: ServiceAccountTokens,
    private readonly caPem: string,
  ) {
    this.secrets = client.resource('v1', 'secrets');
    this.accounts = client.resource('v1', 'serviceaccounts');
    this.queue = new ReconcileQueue('secret-tokens', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.secrets.storage, ({ type, current }) => {
        if (type !== 'DELETED' && current.object.type === TYPE) this.queue.add(current.key);
      }),
      client.store.collection(this.accounts.storage).subscribe(({ type, current: { object } }) => {
        if (type === 'MODIFIED') return;
        for (const secret of client.list(this.secrets, object.metadata.namespace))
          if (secret.type === TYPE) this.queue.add(keyOf(secret.metadata.name, secret.metadata.namespace));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(key: string): void {
    const secret = this.client.get(this.secrets, key);
    if (!secret) return;
    const { namespace = '', annotations = {} } = secret.metadata;
    const account = this.client.get(this.accounts, keyOf(annotations[ACCOUNT_NAME] ?? '', namespace));
    const uid = annotations[ACCOUNT_UID];
    if (!account || (uid !== undefined && uid !== account.metadata.uid)) this.client.remove(this.secrets, secret);
    else this.fill(secret, account);
  }

  private fill(secret: ApiObject, { metadata: { name, namespace = '', uid = '' } }: ApiObject): void {
    const { token, ...present } = objectAt(secret, 'data');
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const rest = { 'ca.crt': encode(this.caPem), namespace: encode(namespace) };
    const isUpToDate = Object.entries(rest).every(([field, value]) => present[field] === value);
    if (token !== undefined && isUpToDate && secret.metadata.annotations?.[ACCOUNT_UID] === uid) return;
    const issued = token ?? encode(this.tokens.issueForSecret({ namespace, name, uid }, secret.metadata.name));
    this.client.update(this.secrets, secret, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [ACCOUNT_UID]: uid } },
      data: { ...objectAt(old, 'data'), ...rest, token: issued },
    }));
  }
}
