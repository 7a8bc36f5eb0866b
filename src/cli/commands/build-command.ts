import { Command } from 'commander';
import type { BuildOptions } from '../build/build.js';
import { DEFAULT_PATTERN } from '../find-files.js';
import { listArgument, pathArgument } from './arguments.js';

export function buildCommand(): Command {
  return new Command('build')
    .description('Bundles operators and what they need into files that Node runs without node_modules.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--out <folder>', 'output folder', pathArgument, 'dist')
    .option(
      '--external <packages>',
      'comma-separated packages that are not bundled, such as ones with native code; may be given more than once',
      listArgument,
    )
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: BuildOptions) => {
      const { build } = await import('../build/build.js');
      await build(files, options);
    });
}

const EXAMPLES = `
The classes are checked as by generate-manifests, and not again when the bundle starts.

Examples:
  kindwright build
  kindwright build operators/podset.ts --out dist
  kindwright build --external better-sqlite3
  node dist/operator.mjs --help        the options of run-operator, without --embedded
  node dist/operator.mjs operators/podset.ts --install`;
