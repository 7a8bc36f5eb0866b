import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Node, Pod, ServiceAccount } from '../../src/api/kinds/kinds.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

let project: TemporaryProject;
let started: StartedCommand[];
beforeEach(() => {
  project = new TemporaryProject();
  started = [];
});
afterEach(async () => {
  for (const command of started) await command.end();
  project.remove();
});

function serve(...args: string[]): StartedCommand {
  const command = new StartedCommand(project.start('kindwright', ['serve', ...args]));
  started.push(command);
  return command;
}

describe('kindwright serve', () => {
  test('serve prints only the kubeconfig of a cluster with two nodes', async () => {
    const command = serve();
    const { items } = await (await command.client()).list(Node);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2']);
    expect(command.stdout).toMatch(/^export KUBECONFIG=\S+\n$/);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'serve ends cleanly on %s and deletes its kubeconfig',
    async (signal) => {
      const command = serve();
      const kubeconfig = await command.kubeconfig();
      expect(existsSync(kubeconfig)).toBe(true);
      expect(await command.end(signal)).toBe(0);
      expect(existsSync(kubeconfig)).toBe(false);
    },
  );

  test('--nodes sets the number of nodes', async () => {
    const client = await serve('--nodes', '3').client();
    expect((await client.list(Node)).items).toHaveLength(3);
  });

  test('pods start after the configured delay, not without their images, and fail as configured', async () => {
    const told = ['--pod-delay', '1s', '--fail-pods', 'app in (bad, worse)', '--missing-images', 'i:late,i:gone'];
    const client = await serve(...told).client();
    const specOf = (image: string) => ({ restartPolicy: 'Never', containers: [{ name: 'c', image }] });
    await eventually(() => client.get(ServiceAccount, 'default', { namespace: 'default' }));
    for (const [app, image] of Object.entries({ good: 'i', bad: 'i:1', stuck: 'i:gone' }))
      await client.create(Pod, { metadata: { name: app, namespace: 'default', labels: { app } }, spec: specOf(image) });
    await eventually(async () => {
      const { status } = await client.get(Pod, 'stuck', { namespace: 'default' });
      expect([status?.phase, status?.containerStatuses?.[0]?.state?.waiting?.reason]).toEqual([
        'Pending',
        'ImagePullBackOff',
      ]);
    });
    await eventually(async () => {
      const { items } = await client.list(Pod, { labelSelector: 'app!=stuck' });
      expect(items.map(({ status }) => status?.phase)).toEqual(['Failed', 'Running']);
      for (const { metadata, status } of items)
        expect(
          Date.parse(String(status?.startTime)) - Date.parse(String(metadata.creationTimestamp)),
        ).toBeGreaterThanOrEqual(1000);
    });
  });

  test('serve without controllers runs only the server', async () => {
    const client = await serve('--without-controllers').client();
    expect((await client.list(Node)).items).toEqual([]);
    const spec = { containers: [{ name: 'main', image: 'busybox' }] };
    const pod = await client.create(Pod, { metadata: { name: 'alone', namespace: 'default' }, spec });
    expect(pod.spec?.serviceAccountName).toBeUndefined();
  });

  test('--kubeconfig sets the file, which is overwritten at each start and readable only by the user', async () => {
    const file = join(project.folder, "it's", 'kubeconfig');
    const first = serve('--kubeconfig', file);
    await first.printed(/it'\\''s\/kubeconfig'\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    await first.end();
    await serve('--kubeconfig', file).printed(/KUBECONFIG/);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });

  test('serve does not overwrite the kubeconfig of another cluster, nor anything that is not a file', async () => {
    project.write({ kubeconfig: 'current-context: production\n' });
    for (const path of ['kubeconfig', '/dev/zero']) {
      const { exitCode, stderr } = await project.run('kindwright', ['serve', '--kubeconfig', path]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`${path} exists and was not written by an embedded server`);
    }
    expect(readFileSync(join(project.folder, 'kubeconfig'), 'utf8')).toBe('current-context: production\n');
  });

  test('serve does not overwrite a kubeconfig that contains another cluster beside its own', async () => {
    const own = join(project.folder, 'own');
    const first = serve('--kubeconfig', own);
    await first.printed(/KUBECONFIG/);
    await first.end();
    const text = readFileSync(own, 'utf8');
    const merged = text.replace('clusters:\n', 'clusters:\n  - {name: prod, cluster: {server: "https://prod"}}\n');
    project.write({ merged, users: text.replace('users:\n', 'users:\n  - {name: prod, user: {token: t}}\n') });
    for (const path of ['merged', 'users']) {
      const { exitCode, stderr } = await project.run('kindwright', ['serve', '--kubeconfig', path]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`${path} exists and was not written by an embedded server`);
    }
    expect(readFileSync(join(project.folder, 'merged'), 'utf8')).toBe(merged);
    project.write({ own: text.replace('current-context', 'preferences: {}\ncurrent-context') });
    await serve('--kubeconfig', own).printed(/KUBECONFIG/);
  });

  test('serve keeps a new data folder out of repositories', async () => {
    await serve('--data-dir', 'state').printed(/KUBECONFIG/);
    expect(readFileSync(join(project.folder, 'state', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('serve reports a folder for temporary files that is not writable', async () => {
    const { exitCode, stderr } = await project.run('kindwright', ['serve'], { TMPDIR: '/none' });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      msg: expect.stringContaining('/none cannot be written: ENOENT'),
      hint: expect.stringContaining('TMPDIR'),
    });
  });

  test('serve keeps its state in the data folder, even after a kill', async () => {
    const before = serve('--data-dir', 'state', '--kubeconfig', 'kubeconfig'); // a kill would leave its own behind
    const object = { metadata: { name: 'kept', namespace: 'default' }, data: { answer: '42' } };
    await (await before.client()).create(ConfigMap, object);
    await before.end('SIGKILL');
    const after = await serve('--data-dir', 'state').client();
    expect(await after.get(ConfigMap, 'kept', { namespace: 'default' })).toMatchObject({ data: { answer: '42' } });
  });

  test('serve reports a port that is in use with a hint', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await project.run('kindwright', ['serve', '--port', String(port)]);
    other.close();
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      msg: `port ${port} is in use`,
      hint: expect.stringContaining('--port'),
    });
  });

  test.each([
    [['--port', '65536'], 'Pass a port'],
    [['--nodes', '-1'], 'Pass a number'],
    [['--pod-delay', 'soon'], 'Pass a duration'],
    [['--fail-pods', 'app=web,,'], 'Pass a label selector'],
    [['--data-dir', ''], 'Pass a path'],
  ])('serve rejects %j', async (args, message) => {
    const { exitCode, stderr } = await project.run('kindwright', ['serve', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
