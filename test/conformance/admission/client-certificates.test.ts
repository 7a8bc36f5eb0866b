import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pki } from '../../controlplane/pki.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const CLIENT_AUTH = 'extendedKeyUsage=clientAuth';

let controlPlane: SuiteControlPlane;
let pki: Pki;
beforeAll(async () => {
  controlPlane = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  pki = Pki.open(join(controlPlane.dir, 'pki'));
});
afterAll(() => controlPlane.stop());

/** Returns the response to a request for the version, which every user may read. */
async function askWith(folder: Pki, name: string, path: string): Promise<{ code: number; body: string }> {
  const read = (file: string): Promise<string> => readFile(join(folder.folder, file), 'utf8');
  const identity = { key: await read(`${name}.key`), cert: await read(`${name}.crt`) };
  const ca = await readFile(pki.path('ca.crt'), 'utf8');
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, controlPlane.server), { ...identity, ca, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body }));
    });
    call.on('error', reject);
    call.end();
  });
}

test.each([
  ['no uses', []],
  ['the use of clients alone', [CLIENT_AUTH]],
  ['key encipherment in the place of digital signature', ['keyUsage=keyEncipherment', CLIENT_AUTH]],
  ['any extended use', ['keyUsage=keyEncipherment', 'extendedKeyUsage=anyExtendedKeyUsage']],
])('a client certificate with %s authenticates its user', async (title, extensions) => {
  const name = title.replaceAll(' ', '-');
  await pki.issueClient(name, 'system:masters', extensions);
  expect(await askWith(pki, name, '/api/v1/namespaces/default')).toMatchObject({ code: 200 });
});

test('a server certificate authenticates no client, not even for public paths', async () => {
  for (const uses of [[], ['keyUsage=keyEncipherment']]) {
    await pki.issueClient('server', 'system:masters', [...uses, 'extendedKeyUsage=serverAuth']);
    const { code, body } = await askWith(pki, 'server', '/version');
    expect([code, JSON.parse(body)]).toEqual([401, expect.objectContaining({ message: 'Unauthorized' })]);
  }
});

test('a client certificate of another authority with the same name is rejected', async () => {
  const other = await Pki.create(join(controlPlane.dir, 'other-pki'));
  for (const uses of [[], ['keyUsage=keyEncipherment']]) {
    await other.issueClient('foreigner', 'system:masters', [...uses, CLIENT_AUTH]);
    expect(await askWith(other, 'foreigner', '/version')).toMatchObject({ code: 401 });
  }
});
