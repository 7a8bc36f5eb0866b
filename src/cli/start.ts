import module from 'node:module';
import { join } from 'node:path';
import { checkNodeVersion } from './check-node-version.js';
import { exitWhenFlushed } from './exit-when-flushed.js';
import { cacheFolder } from '../compiler/cache-folder.js';
import type { CommandName } from './main.js';

/**
 * Runs a command of the package with the process's arguments.
 *
 * The imports of this module must load in any version of Node, so that an old one gets an error message instead of a
 * crash.
 */
export async function start(name: CommandName): Promise<void> {
  if (!checkNodeVersion(name)) return;
  const folder = cacheFolder(process.cwd());
  if (folder !== undefined) module.enableCompileCache(join(folder, 'v8'));
  const { main } = await import('./main.js');
  await exitWhenFlushed(await main(name, process.argv.slice(2)));
}
