import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from 'kindwright/testing';

const before = process.env['KUBEBUILDER_ASSETS'];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-assets-'));
  process.env['KUBEBUILDER_ASSETS'] = folder;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  if (before === undefined) delete process.env['KUBEBUILDER_ASSETS'];
  else process.env['KUBEBUILDER_ASSETS'] = before;
});

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

test('a folder without the programs is an error that lists the missing ones', async () => {
  program('etcd', 'exit 0');
  const message = `a real API server cannot be started: ${folder} has no kube-apiserver\n  hint: export KUBEBUILDER_ASSETS`;
  await expect(startCluster()).rejects.toThrow(message);
});

test('a real server without a folder is rejected', async () => {
  delete process.env['KUBEBUILDER_ASSETS'];
  await expect(startCluster({ server: 'real' })).rejects.toThrow(/KUBEBUILDER_ASSETS is not set/);
});

test('a program that exits immediately is reported with the end of its stderr', async () => {
  program('etcd', 'exec sleep 60');
  program('kube-apiserver', 'echo "unknown flag: --secure-port" >&2; exit 1');
  await expect(startCluster()).rejects.toThrow(/kube-apiserver ended: unknown flag: --secure-port/);
});
