import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClusterTest } from '../cluster-test.js';

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
});
afterEach(() => cluster.stop());

const internal = (address: string): object => ({ type: 'InternalIP', address });
const hostname = (address: string): object => ({ type: 'Hostname', address });
const newNode = (name: string, addresses: object[]) =>
  cluster.api.send('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses },
  });
const isReady = ({ conditions }: Readonly<Record<string, unknown>>): boolean =>
  JSON.stringify(conditions ?? []).includes('"Ready"');
const addressesOf = async (name: string): Promise<unknown> =>
  (await cluster.statusOnce(`/api/v1/nodes/${name}`, isReady)).addresses;

describe('a node', () => {
  test('each node has different addresses, also a node that a client created', async () => {
    await newNode('mine', []);
    const all = await Promise.all(['node-1', 'node-2', 'mine'].map(addressesOf));
    expect(all).toEqual([
      [internal('10.1.0.1'), hostname('node-1')],
      [internal('10.1.0.2'), hostname('node-2')],
      [internal('10.1.0.3'), hostname('mine')],
    ]);
  });

  test('a node keeps the address it was created with, and no other node gets it', async () => {
    await newNode('told', [internal('10.1.0.3')]);
    expect(await addressesOf('told')).toEqual([internal('10.1.0.3'), hostname('told')]);
    await newNode('next', []);
    expect(await addressesOf('next')).toEqual([internal('10.1.0.4'), hostname('next')]);
  });
});
