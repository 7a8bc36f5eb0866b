import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../../controlplane/control-plane.js';
import type { Command } from './kubectl-command.js';
import { KUBECTL_COMMANDS } from './kubectl-commands.js';
import { KUBECTL_WORKFLOWS } from './kubectl-workflow-commands.js';
import { KNOWN_DIFFERENCES } from './kubectl-known-differences.js';
import { differingLines, normalizeReply, wordsOf, type Reply } from './kubectl-output.js';
import { giveInput } from '../../controlplane/give-input.js';

const ATTEMPTS = 60;
const EDITOR = '#!/bin/sh\nsed -i \'s/size: .*/size: "7"/; s/color: blue/color: red/\' "$1"\n';

let folder: string;
let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubectl-'));
  await writeFile(join(folder, 'editor'), EDITOR, { mode: 0o755 });
  [real, embedded] = await Promise.all([ControlPlane.start(), EmbeddedApiServer.start()]);
});
afterAll(async () => {
  await Promise.all([real?.stop(), embedded?.stop()]);
  await rm(folder, { recursive: true });
});

function call(kubeconfig: string, cache: string, command: Command): Promise<Reply> {
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: join(folder, cache),
    KUBE_EDITOR: join(folder, 'editor'),
    TZ: 'UTC',
    TMPDIR: '/tmp', // where the comparison takes files of diff to be
  };
  return new Promise((resolve) => {
    const child = execFile(real?.binaries.kubectl ?? '', wordsOf(command), { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    giveInput(child, command.stdin ?? '');
  });
}

async function reply(kubeconfig: string, cache: string, command: Command): Promise<string> {
  let found = await call(kubeconfig, cache, command);
  for (let count = 1; command.until !== undefined && !found.stdout.includes(command.until); count++) {
    if (count === ATTEMPTS) throw new Error(`${command.args} never says ${command.until}`);
    await delay(250);
    found = await call(kubeconfig, cache, command);
  }
  return command.until === undefined ? normalizeReply(found, command) : '';
}

const isKnown = ({ args }: Command, line: string): boolean =>
  KNOWN_DIFFERENCES.some(({ calls, lines }) => calls.test(args) && lines.test(line));

describe.each(Object.entries({ ...KUBECTL_COMMANDS, ...KUBECTL_WORKFLOWS }))('kubectl on %s', (_chapter, commands) => {
  test.each(commands)('kubectl prints the same on both servers: $args', async (command) => {
    const [theirs, ours] = await Promise.all([
      reply(real?.kubeconfig ?? '', 'real', command),
      reply(embedded?.kubeconfig ?? '', 'embedded', command),
    ]);
    const lines = differingLines(theirs, ours);
    expect(lines.filter((line) => !isKnown(command, line))).toEqual([]);
  });
});
