import { Command } from 'commander';
import type { DemoOptions } from '../demo.js';
import { DEFAULT_PATTERN } from '../find-files.js';

export function demoCommand(): Command {
  return new Command('demo')
    .description('Runs operators with nothing but Node: on an API server in this process, with their samples applied.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('-v, --verbose', "show the operators' whole log, and stack traces")
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

What changes is redrawn in place on a terminal, and written line by line elsewhere or when NO_COLOR is set.
Ctrl-C ends it.`;
