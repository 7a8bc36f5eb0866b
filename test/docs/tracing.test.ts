import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { modulesOf } from './doc-files.js';

const example = join(import.meta.dirname, '../../docs/examples/tracing.mjs');

test('docs/operations.md shows the example', () => {
  expect(modulesOf('docs/operations.md', 'js')).toEqual([readFileSync(example, 'utf8')]);
});

/** The SDK is not a dependency: a stand-in shows what it is called with. */
test('the example starts the SDK of OpenTelemetry before the program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracing-'));
  try {
    const sdk = join(folder, 'node_modules', '@opentelemetry', 'sdk-node');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
    writeFileSync(
      join(sdk, 'index.js'),
      `export class NodeSDK {
        constructor(options) { this.options = options; }
        start() { console.log(JSON.stringify(this.options)); }
      }`,
    );
    const copy = join(folder, 'tracing.mjs');
    copyFileSync(example, copy);
    const args = ['--import', pathToFileURL(copy).href, '--eval', 'console.log("program")'];
    const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
    expect(lines).toEqual(['{"serviceName":"release-operator","autoDetectResources":true}', 'program']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
