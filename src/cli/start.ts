import module from 'node:module';
import { join } from 'node:path';
import { isTooOldNode, NEEDED_NODE } from '../base/node-version.js';
import { ExitCode } from './exit-codes.js';
import { exitWhenFlushed } from './exit-when-flushed.js';
import { cacheFolder } from './loader/cache-folder.js';
import type { CommandName } from './main.js';

/**
 * Runs a command of the package with the process's arguments.
 *
 * The imports of this module must load in any version of Node, so that an old one gets an error message instead of a
 * crash.
 */
export async function start(name: CommandName): Promise<void> {
  if (isTooOldNode(process.versions.node)) {
    process.stderr.write(
      `error: ${name} requires Node ${NEEDED_NODE} or later; this is Node ${process.versions.node}\n`,
    );
    process.stderr.write(
      `  hint: install a newer Node from https://nodejs.org, or in the project: npm install -D node\n`,
    );
    process.exitCode = ExitCode.failure;
    return;
  }
  const folder = cacheFolder(process.cwd());
  if (folder !== undefined) module.enableCompileCache(join(folder, 'v8'));
  const { main } = await import('./main.js');
  await exitWhenFlushed(await main(name, process.argv.slice(2)));
}
