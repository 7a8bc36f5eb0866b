import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

test('the control plane by hand loads in plain Node, and reports what to install where its programs are missing', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'by-hand-'));
  const env = { PATH: empty, CONTROLPLANE_BIN: empty };
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
  await expect(run).rejects.toThrow(/cannot be built: install Go/);
  await rm(empty, { recursive: true });
});
