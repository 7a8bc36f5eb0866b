import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/make-folder.js';

/**
 * Returns a folder for cached data, or undefined when none can be created.
 *
 * It is in the project's node_modules, otherwise the user's own cache folder; never in a shared one, since what is in it
 * gets executed. One that exists serves even if it is read-only: an image may be built with it filled.
 */
export function cacheFolder(from: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const modules = nearestModules(from);
  const home = userCacheFolder(env);
  if (modules !== undefined && isUsable(join(modules, '.cache', 'kindwright')))
    return join(modules, '.cache', 'kindwright');
  return home !== undefined && isUsable(join(home, 'kindwright')) ? join(home, 'kindwright') : undefined;
}

function nearestModules(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return modules;
    if (folder === dirname(folder)) return undefined;
  }
}

function userCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  const own = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'];
  if (own) return own;
  const home = homedir();
  return home ? join(home, '.cache') : undefined;
}

function isUsable(folder: string): boolean {
  try {
    makeFolder(folder);
    return true;
  } catch {
    return existsSync(folder);
  }
}
