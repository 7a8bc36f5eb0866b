import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.js';

/**
 * Returns a folder for cached data, or undefined when none can be created.
 *
 * It is in the project's node_modules, otherwise the user's own cache folder; never in one that another user owns or may write
 * to, since what is in it gets executed. One that exists serves even if it is read-only: an image may be built with it
 * filled.
 */
export function cacheFolder(
  from: string,
  env: NodeJS.ProcessEnv = process.env,
  uid = process.getuid?.(),
): string | undefined {
  const modules = nearestModules(from);
  const home = userCacheFolder(env);
  if (modules !== undefined && isUsable([modules, '.cache', 'kindwright'], uid))
    return join(modules, '.cache', 'kindwright');
  return home !== undefined && isUsable([home, 'kindwright'], uid) ? join(home, 'kindwright') : undefined;
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

/** Creates the missing folders, each in the one before, unless another user could replace what is in them. */
function isUsable(names: readonly string[], uid: number | undefined): boolean {
  return names.every((_, index) => {
    const folder = join(...names.slice(0, index + 1));
    try {
      makeFolder(folder);
    } catch {
      if (!existsSync(folder)) return false;
    }
    return isPrivate(folder, uid);
  });
}

/** Root and, on Windows, everyone is trusted. A group may write if it is that of the process, such as a user's own group. */
function isPrivate(folder: string, reader: number | undefined): boolean {
  if (reader === undefined) return true;
  const { uid, gid, mode } = statSync(folder);
  if (uid !== reader && uid !== 0) return false;
  return (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === process.getgid?.());
}
