// Builds the site with the documentation of earlier versions: node site/build-site.ts URL, in a clone with its tags.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildVersions } from './site-versions.ts';

const root = join(import.meta.dirname, '..');
const [url = ''] = process.argv.slice(2);

buildVersions({
  root,
  outDir: join(root, 'site', 'versions'),
  url: new URL(url.replace(/\/*$/, '/')).href,
  build: (folder, variables) => {
    const options = { cwd: folder, env: { ...process.env, ...variables }, stdio: 'inherit' } as const;
    if (folder !== root) execFileSync('npm', ['ci', '--ignore-scripts'], options);
    execFileSync('npm', ['run', 'docs'], options);
    return join(folder, 'site', 'dist');
  },
});
