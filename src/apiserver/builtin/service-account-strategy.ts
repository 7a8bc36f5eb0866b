import { type ApiObject, arrayAt, eachObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';

/** The strategy of ServiceAccounts; only the names of their Secrets are kept. */
export const serviceAccountStrategy: Strategy = {
  metadataChecks: 'whole',
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
};

function keepNames(account: ApiObject): void {
  const secrets = arrayAt(account, 'secrets');
  if (secrets.length > 0) account.secrets = eachObject(secrets).map(({ name }) => (name ? { name } : {}));
}
