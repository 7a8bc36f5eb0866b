import { Command } from 'commander';
import type { DemoOptions } from '../demo.js';
import { DEFAULT_PATTERN } from '../find-files.js';

export function demoCommand(): Command {
  return new Command('demo')
    .description('Runs operators and their samples on an API server in this process; no cluster is needed.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('-v, --verbose', "print the operators' debug log, and stack traces")
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: DemoOptions) => {
      const { demo } = await import('../demo.js');
      await demo(files, options);
    });
}

const EXAMPLES = `
Examples:
  kindwright demo
  kindwright demo operators/podset.ts

On a terminal the table is redrawn in place; otherwise, or when NO_COLOR is set, changes are printed line by line.
Press Ctrl-C to stop.`;
