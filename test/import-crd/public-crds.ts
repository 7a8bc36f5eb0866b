import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decompressed } from '../tools/compressed-text.ts';

/** Holds a file `<project>.yaml.br` for each project; `npm run generate:public-crds` writes them. */
export const publicCrdsFolder = join(import.meta.dirname, 'crds');

const SUFFIX = '.yaml.br';

/** The CustomResourceDefinitions of public projects: file name → YAML with a document for each definition. */
export function publicCrds(): ReadonlyMap<string, string> {
  const files = readdirSync(publicCrdsFolder).filter((name) => name.endsWith(SUFFIX));
  return new Map(
    files.sort().map((name) => [basename(name, '.br'), decompressed(readFileSync(join(publicCrdsFolder, name)))]),
  );
}
