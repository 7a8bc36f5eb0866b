import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file by a temporary one beside it and a rename, so that nobody ever sees it half-written and a process that
 * is killed meanwhile leaves the one that was there.
 *
 * @param mode of the file, also where one with another mode was there.
 */
export function writeAtomically(path: string, content: string, mode = 0o666): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
