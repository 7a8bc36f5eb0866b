import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** What the suites of the embedded server may import of src/: nothing that changes with the SDK. */
const SERVER = /^(src\/(apiserver|crd|pki|base)\/|src\/testing\/eventually\.)/;

// .ci/run skips these suites while the server is unchanged, so that an import of the SDK would not be tested.
test('the conformance suites import nothing of the SDK', () => {
  const imported = globSync('test/conformance/**/*.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const specifiers = [...text.matchAll(/^import (?!type ).*?from '([^']+)';/gms)].map(
      ([, specifier = '']) => specifier,
    );
    return specifiers.map((specifier) =>
      specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
    );
  });
  expect(imported.length).toBeGreaterThan(100);
  const ofTheSdk = imported.filter((path) => path === 'kindwright' || (path.startsWith('src/') && !SERVER.test(path)));
  expect(ofTheSdk).toEqual([]);
});
