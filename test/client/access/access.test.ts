import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { Access } from '../../../src/client/access/access.js';
import type { Client } from '../../../src/client/client.js';
import { json } from '../scripted-server.js';
import { clientOf, ConfigMap, scripted, stored } from '../test-client.js';

const NS = { namespace: 'ns' };
const Widget: KindRef = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Cluster' };
const configMap = { metadata: { name: 'a', namespace: 'ns' } };

/** Returns the accesses that a client reports for an action. */
async function accesses(act: (client: Client) => Promise<unknown>): Promise<string[]> {
  const server = await scripted((request, socket) => socket.write(json({ items: [], ...stored(request) })));
  const told: Access[] = [];
  await act(clientOf(server, {}, { onAccess: (access) => told.push(access) }));
  return told.map(({ verb, group, resource, namespace, url }) =>
    [verb, url ?? `${group}/${resource}`, ...(namespace === undefined ? [] : [`in ${namespace}`])].join(' '),
  );
}

describe('accesses of a client', () => {
  test.each<[string, (client: Client) => Promise<unknown>, string[]]>([
    ['get', (client) => client.get(ConfigMap, 'a', NS), ['get /configmaps in ns']],
    ['list', (client) => client.list(ConfigMap), ['list /configmaps']],
    ['watch', (client) => client.streamWatch(Widget, {}, () => undefined), ['watch example.com/widgets']],
    ['create', (client) => client.create(ConfigMap, configMap), ['create /configmaps in ns']],
    ['update', (client) => client.update(ConfigMap, configMap), ['update /configmaps in ns']],
    ['patch', (client) => client.patch(Widget, 'a', {}), ['patch example.com/widgets']],
    [
      'patch of a subresource',
      (client) => client.patch(Widget, 'a', {}, { subresource: 'status' }),
      ['patch example.com/widgets/status'],
    ],
    [
      'apply',
      (client) => client.apply(Widget, { metadata: { name: 'a' } }),
      ['patch example.com/widgets', 'create example.com/widgets'],
    ],
    ['delete', (client) => client.delete(Widget, 'a'), ['delete example.com/widgets']],
    [
      'any request',
      (client) => client.request({ method: 'DELETE', path: '/api/v1/namespaces/ns/pods' }),
      ['deletecollection /pods in ns'],
    ],
    [
      'a write to a non-resource path',
      (client) => client.request({ method: 'POST', path: '/reload' }),
      ['post /reload'],
    ],
    ['a non-resource path', (client) => client.request({ method: 'GET', path: '/version' }), ['get /version']],
  ])('a client reports the accesses of: %s', async (_what, act, expected) => {
    expect(await accesses(act)).toEqual(expected);
  });
});
