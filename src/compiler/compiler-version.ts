import { packageVersion } from '../base/package-version.js';

/** Part of the cache key: change it together with the registered facts. */
const FORMAT = 'source lines, declared types, undecorated properties and rejected members';

/** Identifies everything besides the source that determines the compiled code; part of the key of compile caches. */
export function compilerVersion(): string {
  return [FORMAT, packageVersion(), packageVersion('@swc/core'), packageVersion('oxc-parser')].join(' ');
}
