import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Secret } from 'kindwright';
import { EmbeddedApiServer } from '../../src/apiserver/embedded-api-server.js';
import { Client } from '../../src/client/client.js';
import { loadClusterConfig } from '../../src/client/cluster-config.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { randomBytes } from 'node:crypto';
import { Context, CustomResource, Kind, Owns, Secret } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(Secret)
export class Account extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const password = randomBytes(9).toString('hex');
    const secret = await ctx.create(Secret, { metadata: { name }, data: { password: btoa(password) } });
    console.log('%s=%s', name, secret.data?.['password']);
  }
}
`;
const Account = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Account',
  plural: 'accounts',
  scope: 'Namespaced',
} as const;
/** Two processes start on a machine that may be busy. */
const PATIENT = { timeout: '15s' };
const NAMES = Array.from({ length: 20 }, (_, index) => `account-${index}`);

let project: TemporaryProject;
let server: EmbeddedApiServer;
let client: Client;
let operators: StartedCommand[];

beforeAll(async () => {
  project = new TemporaryProject({ 'operators/account.ts': OPERATOR });
  server = await EmbeddedApiServer.start();
  client = new Client(await loadClusterConfig({ kubeconfig: server.kubeconfig, env: {} }));
  const args = ['--kubeconfig', server.kubeconfig, '--install'];
  operators = [1, 2].map(() => new StartedCommand(project.start('run-operator', args)));
  for (const operator of operators) {
    await eventually(() => expect(operator.stderr).toContain('Started workers'), PATIENT);
  }
});

afterAll(async () => {
  for (const operator of operators) await operator.end();
  client.close();
  await server.stop();
  project.remove();
});

test('two processes that create the same Secret at the same time both get the one that was written first', async () => {
  await Promise.all(NAMES.map((name) => client.create(Account, { metadata: { name, namespace: 'default' } })));
  const passwords = await eventually(async () => {
    const secrets = await Promise.all(NAMES.map((name) => client.get(Secret, name, { namespace: 'default' })));
    return secrets.map(({ data }) => data?.['password'] ?? '');
  }, PATIENT);
  const expected = NAMES.map((name, index) => `${name}=${passwords[index]}`).sort();
  for (const operator of operators) {
    await eventually(() => expect([...new Set(operator.stdout.trim().split('\n'))].sort()).toEqual(expected), PATIENT);
  }
});
