import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `action` while no other process does so for the same folder; a lock left by a dead process is taken over.
 *
 * Two that take over at the same moment may both run: each program is renamed into place, so that costs time only.
 */
export async function withBuildLock(folder: string, action: () => Promise<void>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, '.lock');
  while (!(await acquire(lock))) {
    if (await isHolderAlive(lock)) await delay(500);
    else await rm(lock, { force: true });
  }
  try {
    await action();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Linked rather than created, so that the file never lacks its content. */
async function acquire(lock: string): Promise<boolean> {
  const own = `${lock}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function isHolderAlive(lock: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
