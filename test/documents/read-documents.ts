import { arrayAt, eachObject, objectAt, stringAt } from '../../src/base/json-object.js';
import type { ApiEndpoint } from '../fidelity/api-endpoint.js';

export const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Reads every document for clients from a server, by a name that is its path and, for one of several forms, the form. */
export async function readDocuments(endpoint: ApiEndpoint): Promise<ReadonlyMap<string, unknown>> {
  const documents = new Map<string, unknown>();
  const read = async (path: string, name = path, accept = 'application/json'): Promise<unknown> => {
    const { code, body } = await endpoint.send({ method: 'GET', path, accept });
    documents.set(name, code === 200 ? body : { code });
    return body;
  };
  await read('/openapi/v2');
  const index = objectAt(await read('/openapi/v3'), 'paths');
  for (const [name, entry] of Object.entries(index))
    await read(stringAt(entry, 'serverRelativeURL'), `/openapi/v3/${name}`);
  for (const path of ['/api', '/apis']) await read(path, `${path} aggregated`, AGGREGATED);
  await read('/api');
  await read('/api/v1');
  for (const group of eachObject(arrayAt(await read('/apis'), 'groups'))) {
    await read(`/apis/${stringAt(group, 'name')}`);
    for (const version of arrayAt(group, 'versions')) await read(`/apis/${stringAt(version, 'groupVersion')}`);
  }
  return documents;
}
