import { keyOf } from '../../api/objects/object-key.js';
import { goQuoted } from '../../base/go-quoted.js';
import { badRequest, conflict, notFound } from '../errors/status-error.js';
import { stringAt, type ApiObject } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { TokenClaims, TokenReference } from './service-account-token.js';

/** Returns the claims for the object that a token request binds its token to. */
export function boundObject(
  store: ObjectStore,
  reference: unknown,
  namespace: string,
  account: string,
): Pick<TokenClaims, 'pod' | 'node' | 'secret'> {
  const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
  const [version = '', group = ''] = stringAt(reference, 'apiVersion').split('/').reverse();
  const find = (plural: string, key: string): TokenReference & { object: ApiObject } => {
    const object = store.get(plural, key)?.object;
    if (!object) throw notFound({ group: '', plural }, name);
    const wanted = stringAt(reference, 'uid');
    if (wanted === '' || wanted === object.metadata.uid) return { ...referenceTo(object), object };
    const why = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: kind }, name, why);
  };
  switch (group === '' ? kind : '') {
    case 'Pod': {
      const { object, ...pod } = find('pods', keyOf(name, namespace));
      if (stringAt(object.spec, 'serviceAccountName') !== account)
        throw badRequest(
          `cannot bind token for serviceaccount ${goQuoted(account)} to pod running with different serviceaccount name.`,
        );
      const node = store.get('nodes', stringAt(object.spec, 'nodeName'))?.object;
      return { pod, node: node && referenceTo(node) };
    }
    case 'Node': {
      const { object: _node, ...node } = find('nodes', name);
      return { node };
    }
    case 'Secret': {
      const { object: _secret, ...secret } = find('secrets', keyOf(name, namespace));
      return { secret };
    }
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
}

function referenceTo({ metadata: { name, uid = '' } }: ApiObject): TokenReference {
  return { name, uid };
}
