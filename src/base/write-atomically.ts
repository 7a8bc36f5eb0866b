import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomId } from './random.js';

/**
 * Writes a file through a temporary file beside it and a rename. Readers never see a partial file, and the former file
 * remains if the process is killed.
 *
 * @param mode of the file, also if a file with another mode exists.
 */
export function writeAtomically(path: string, content: string | Uint8Array, mode = 0o666): void {
  const temporary = `${path}.${randomId('temporary file')}.tmp`;
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Creates a file as `writeAtomically` does, unless one of this name exists. Returns false in that case: the file is not
 * changed.
 */
export function createAtomically(path: string, content: string): boolean {
  const temporary = `${path}.${randomId('temporary file')}.tmp`;
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
