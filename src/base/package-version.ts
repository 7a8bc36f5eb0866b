import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** Returns the version of kindwright or of one of its dependencies; `unknown` when the package is not found. */
export function packageVersion(name?: string): string {
  const manifest = findPackageJSON(name ?? '..', import.meta.url);
  if (manifest === undefined) return 'unknown';
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
