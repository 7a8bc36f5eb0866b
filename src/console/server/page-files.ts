import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { securityHeaders } from './security-headers.js';

export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** The folder of the page in this package. A bundle has none. */
export const PAGE_FOLDER = fileURLToPath(new URL('../ui/', import.meta.url));

const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
]);

/**
 * The files of the page, read from a folder once. They are compressed; a client that does not accept that gets them
 * uncompressed. Only names that are in the folder are served, so a path cannot leave it.
 */
export class PageFiles {
  private readonly files = new Map<string, { readonly type: string; readonly compressed: Buffer }>();

  constructor(folder: string) {
    if (!existsSync(folder)) return;
    for (const file of readdirSync(folder)) {
      const [, name = '', extension = ''] = /^([\w.-]+\.(\w+))\.gz$/.exec(file) ?? [];
      const type = TYPES.get(extension);
      if (type !== undefined) this.files.set(`/${name}`, { type, compressed: readFileSync(join(folder, file)) });
    }
  }

  /** Returns the response for a path; undefined for an unknown one. */
  get(path: string, acceptsGzip: boolean): PageFile | undefined {
    const name = path === '/' ? '/index.html' : path;
    const file = this.files.get(name);
    if (!file) return name === '/index.html' ? MISSING : undefined;
    const { type, compressed } = file;
    const headers = { ...securityHeaders(), 'content-type': type };
    if (!acceptsGzip) return { headers, body: gunzipSync(compressed) };
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
  }
}

const MISSING: PageFile = {
  headers: { ...securityHeaders(), 'content-type': 'text/plain; charset=utf-8' },
  body: 'The page of the console was not built; its API is at /api/v1/.\n',
};
