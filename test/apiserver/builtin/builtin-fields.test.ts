import { expect, test } from '@jest/globals';
import { TestServer, type Json } from '../api-client.js';

const PATH = '/apis/resource.k8s.io/v1/resourceslices';

test('ResourceSlices can be selected by node and driver', async () => {
  const api = await TestServer.start();
  for (const node of ['a', 'b']) {
    await api.send('POST', PATH, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: `slice-${node}` },
      spec: { driver: 'gpu.example.com', nodeName: node, pool: { name: node, generation: 1, resourceSliceCount: 1 } },
    });
  }
  const selected = async (selector: string): Promise<unknown[]> => {
    const { items } = (await api.send('GET', `${PATH}?fieldSelector=${encodeURIComponent(selector)}`)).body;
    return (items as unknown as Json[]).map(({ metadata }) => metadata?.name);
  };
  const found = [await selected('spec.driver=gpu.example.com,spec.nodeName=b'), await selected('spec.driver=other')];
  await api.stop();

  expect(found).toEqual([['slice-b'], []]);
});
