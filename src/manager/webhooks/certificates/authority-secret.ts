import { Secret } from '../../../api/kinds/kinds.js';
import { OperatorError } from '../../../base/operator-error.js';
import { NotFoundError } from '../../../client/api-error.js';
import type { Client } from '../../../client/client.js';
import { parseSharedAuthority, secretContent, type SharedAuthority } from './shared-authority.js';

/** The Secret of an operator's authority; it must exist, and may be empty. */
export interface SecretLocation {
  readonly namespace: string;
  readonly secret: string;
}

/** The Secret as it was read. */
interface ReadSecret {
  readonly object: Secret;
  /** Undefined if the Secret is empty. */
  readonly state: SharedAuthority | undefined;
}

/** @throws OperatorError if the Secret does not exist, or is damaged */
export async function readAuthority(
  client: Pick<Client, 'get'>,
  { secret, namespace }: SecretLocation,
  signal: AbortSignal,
): Promise<ReadSecret> {
  try {
    const object = await client.get(Secret, secret, { namespace, signal });
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

/** @throws ConflictError if the Secret has changed since it was read */
export async function storeAuthority(
  client: Pick<Client, 'update'>,
  read: Secret,
  state: SharedAuthority,
  signal: AbortSignal,
): Promise<void> {
  const encoded = Object.entries(secretContent(state)).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  const data = Object.fromEntries(encoded) as Record<string, string>;
  await client.update(Secret, { ...read, data }, { namespace: read.metadata.namespace, signal });
}
