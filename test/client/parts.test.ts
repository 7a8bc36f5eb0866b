import { describe, expect, test } from '@jest/globals';
import { partOf } from 'kindwright';
import { json } from './scripted-server.js';
import { clientOf, ConfigMap, scripted } from './test-client.js';

const metadata = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '3', annotations: { note: 'x' } };
const whole = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, managedFields: [{}] }, data: { a: '1' } };
const partial = { ...whole, apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', data: undefined };
const MetadataOnly = partOf(ConfigMap, { labelSelector: 'app', metadataOnly: true });
const DataOnly = partOf(ConfigMap, { fieldSelector: 'metadata.name=a', fields: ['data'] });

/** Serves the objects, in the namespace of the request if it has one. */
async function serving(...objects: object[]) {
  const server = await scripted((request, socket) => {
    const namespace = /\/namespaces\/([^/?]+)/.exec(request.path)?.[1];
    const items = namespace === undefined ? objects : objects.map((object) => placed(object, namespace));
    const list = { kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items };
    const events = items.map((object) => `${JSON.stringify({ type: 'ADDED', object })}\n`).join('');
    socket.write(
      request.path.includes('watch=true')
        ? `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${events.length}\r\n\r\n${events}`
        : json(list),
    );
  });
  return { client: clientOf(server), request: () => server.requests[0]!, requests: () => server.requests };
}

function placed(object: object, namespace: string): object {
  return { ...object, metadata: { ...(object as typeof whole).metadata, namespace } };
}

describe.each(['list', 'watch'] as const)('%s of a part', (verb) => {
  async function read(kind: typeof MetadataOnly, items: object[], options = {}) {
    const { client, request } = await serving(...items);
    const found: object[] = [];
    if (verb === 'list') found.push(...(await client.list(kind, options)).items);
    else for await (const { object } of client.watch(kind, options)) found.push(object);
    return { found, request: request() };
  }

  test('a part with metadataOnly requests metadata only', async () => {
    const { found, request } = await read(MetadataOnly, [partial]);
    expect(request.headers['accept']).toMatch(/^application\/json;as=PartialObjectMetadata(List)?;g=meta.k8s.io;v=v1,/);
    expect(found).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata }]);
  });

  test('a part with metadataOnly drops the rest of whole objects, which some servers send nevertheless', async () => {
    const { found } = await read(MetadataOnly, [whole]);
    expect(found).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata }]);
  });

  test('an object of a part has the fields of the part only', async () => {
    const { found, request } = await read(DataOnly, [whole]);
    const { annotations, ...rest } = metadata;
    expect(found).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: rest, data: { a: '1' } }]);
    expect(request.headers['accept']).not.toContain('PartialObjectMetadata');
    expect(annotations).toBeDefined();
  });

  test('the selectors of a part are combined with those of the call', async () => {
    const { request } = await read(MetadataOnly, [], { labelSelector: 'tier=web', fieldSelector: 'metadata.name=b' });
    expect(decodeURIComponent(request.path)).toContain('labelSelector=app,tier=web');
    expect(decodeURIComponent(request.path)).toContain('fieldSelector=metadata.name=b');
  });

  test.each([
    ['PartialObjectMetadata where objects were requested', DataOnly, partial],
    ['objects of another kind', MetadataOnly, { ...whole, kind: 'Secret' }],
  ])('a read of a part rejects %s', async (_, kind, object) => {
    await expect(read(kind, [object])).rejects.toThrow(
      verb === 'list'
        ? `expected a list of configmaps from the API server, received a list with an item of kind ${object.kind}`
        : `unexpected kind ${object.kind} in the watch of configmaps`,
    );
  });
});

test('an update of a part is rejected, because it would remove the fields outside of the part', async () => {
  const { client } = await serving();
  await expect(client.update(DataOnly, { ...whole, metadata })).rejects.toMatchObject({
    code: 'E_PART',
    message: 'an update of a part of ConfigMap would remove the fields outside of the part',
  });
});

describe('a part with namespaces', () => {
  const Some = partOf(ConfigMap, { namespaces: ['a', 'b'] });
  const paths = async (read: (client: Awaited<ReturnType<typeof serving>>['client']) => Promise<unknown>) => {
    const { client, requests } = await serving(whole);
    const result = await read(client);
    return { result, paths: requests().map(({ path }) => path.replace(/\?.*/, '')) };
  };
  const watched = async (iteration: AsyncIterable<unknown>) => {
    for await (const _event of iteration);
  };

  test('a list of a part with namespaces reads each of them, or the one that is given', async () => {
    const all = await paths((client) => client.list(Some));
    expect(all.paths).toEqual(['/api/v1/namespaces/a/configmaps', '/api/v1/namespaces/b/configmaps']);
    expect(all.result).toMatchObject({
      items: [{ metadata: { namespace: 'a' } }, { metadata: { namespace: 'b' } }],
      resourceVersion: '9',
    });
    const one = await paths((client) => client.list(Some, { namespace: 'c' }));
    expect(one.paths).toEqual(['/api/v1/namespaces/c/configmaps']);
  });

  test('a watch of a part with one namespace watches it, and one with several must name one', async () => {
    const One = partOf(ConfigMap, { namespaces: ['a'] });
    expect((await paths((client) => watched(client.watch(One)))).paths).toEqual(['/api/v1/namespaces/a/configmaps']);
    await expect(paths((client) => watched(client.watch(Some)))).rejects.toMatchObject({ code: 'E_PART' });
  });
});
