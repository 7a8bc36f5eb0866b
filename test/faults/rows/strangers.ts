import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { writeFile } from 'node:fs/promises';
import { Deployment } from 'kindwright';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { PodSet } from '../../../operators/podset.js';
import { OperatorProcess } from '../../e2e/operator-process.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { Jubilee } from '../harness/yearly-operator.js';
import { assert, assertEqual, within } from '../oracles/converged.js';

const REQUESTS = 400;
const BODY = Buffer.alloc(900_000, 32);
const JUBILEES = 800;
/** More than a stop with a reader that reads, less than any patience of a kubelet. */
const STOP_MS = 10_000;

function start(
  world: World,
  args: readonly string[],
  log?: string,
  variables: NodeJS.ProcessEnv = {},
): OperatorProcess {
  const operator = OperatorProcess.start(
    world.kubeconfig,
    [...args, '--namespace', world.namespace, '--no-preflight'],
    log,
    variables,
  );
  world.onEnd(() => operator.stop('SIGKILL'));
  return operator;
}

/** The resident memory of a process in MB. */
function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Opens many requests without credentials, and never sends the last byte of their bodies. */
async function holdRequests(world: World, path: string, connect: () => Socket): Promise<void> {
  const head = `POST ${path} HTTP/1.1\r\nhost: operator\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length + 1}\r\n\r\n`;
  const sockets = Array.from({ length: REQUESTS }, () => {
    const socket = connect();
    socket.on('error', () => undefined);
    socket.write(head);
    socket.write(BODY);
    return socket.resume();
  });
  world.onEnd(() => {
    for (const socket of sockets) socket.destroy();
  });
  await delay(8_000);
}

async function assertBounded(operator: OperatorProcess, hold: () => Promise<void>): Promise<void> {
  const before = residentMb(operator.pid);
  await hold();
  const growth = residentMb(operator.pid) - before;
  assert(growth < 220, `the memory grew by ${growth.toFixed(0)} MB`);
  assertEqual(await operator.stop('SIGTERM'), 0, 'exit code');
}

async function certificateFolder(world: World): Promise<string> {
  const { certPem, keyPem } = createServingIdentity(Date.now());
  const { dir } = world.cluster.controlPlane;
  await writeFile(join(dir, 'tls.crt'), certPem);
  await writeFile(join(dir, 'tls.key'), keyPem, { mode: 0o600 });
  return dir;
}

/** Writes to a pipe until it can take no more. */
function fill(pipe: number): void {
  try {
    for (;;) writeSync(pipe, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}

export const STRANGER_ROWS: readonly Row[] = [
  {
    id: 'F103-sources',
    title: `${REQUESTS} unfinished requests without credentials for a source fill a bounded part of the memory`,
    async run(world) {
      const operator = start(
        world,
        ['docs/examples/ticket.ts', '--source-bind-address', '127.0.0.1:0', '--install'],
        undefined,
        {
          TICKETS_HOOK_SECRET: 'secret',
        },
      );
      const line = await operator.logged(/^Serving HTTP sources$/);
      const port = Number(/\d+$/.exec(String(line['address']))?.[0]);
      await assertBounded(operator, () => holdRequests(world, '/hooks/tickets', () => connectTcp(port, '127.0.0.1')));
    },
  },
  {
    id: 'F103-webhooks',
    title: `${REQUESTS} unfinished reviews without credentials fill a bounded part of the memory`,
    async run(world) {
      const args = ['--webhook-cert-dir', await certificateFolder(world), '--webhook-port', '0', '--install'];
      const operator = start(world, ['docs/examples/pod-set.ts', ...args]);
      const port = Number((await operator.logged(/^Serving webhooks$/))['port']);
      const path = '/validate-docs-example-com-podset?timeout=5s';
      const connect = () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await assertBounded(operator, () => holdRequests(world, path, connect));
    },
  },
  {
    id: 'F104',
    title: `a time once a year that comes for ${JUBILEES} objects is served for all, and the leader stays the leader`,
    async run(world) {
      const { admin, namespace } = world;
      const names = Array.from({ length: JUBILEES }, (_, index) => `jubilee-${index}`);
      for (let from = 0; from < JUBILEES; from += 20)
        await Promise.all(
          names.slice(from, from + 20).map((name) => admin.create(Jubilee, { metadata: { name, namespace } })),
        );
      const election = ['--leader-elect', '--leader-election-namespace', namespace];
      const preload = join(import.meta.dirname, '..', 'harness', 'clock-before-date.mjs');
      const operator = start(world, ['test/faults/harness/yearly-operator.ts', ...election], undefined, {
        NODE_OPTIONS: `--import ${preload}`,
      });
      await operator.started();
      await within(120_000, async () => {
        const { items } = await admin.list(Jubilee, { namespace });
        const turned = items.filter(({ status }) => (status as { turns?: number } | undefined)?.turns === 1);
        assertEqual(turned.length, JUBILEES, 'objects');
      });
      assertEqual(await operator.stop('SIGTERM'), 0, 'exit code');
    },
  },
  {
    id: 'F106',
    title: 'an operator whose log output is not read works, and ends after SIGTERM',
    async run(world) {
      const { admin, namespace } = world;
      const pipe = join(world.cluster.controlPlane.dir, `${namespace}-log`);
      execFileSync('mkfifo', [pipe]);
      const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK); // never reads
      world.onEnd(() => {
        closeSync(reader);
      });
      fill(reader);
      const operator = start(world, ['operators/podset.ts', '-v'], pipe);
      await admin.create(PodSet, { metadata: { name: 'set', namespace }, spec: { size: 0 } });
      for (const size of [1, 2, 3]) {
        await admin.patch(PodSet, 'set', { spec: { size } }, { namespace });
        await within(60_000, async () => {
          assertEqual((await admin.get(Deployment, 'set', { namespace })).spec?.replicas, size, 'replicas');
        });
      }
      const before = performance.now();
      await operator.stop('SIGTERM');
      assert(performance.now() - before < STOP_MS, 'the stop took more than 10 s');
    },
  },
];
