import { Command } from 'commander';
import type { InitOptions } from '../scaffold/init-project.js';

export function initCommand(): Command {
  return new Command('init')
    .description('Makes a folder a project with one operator, which passes its tests and runs.')
    .argument('<folder>', 'where; made if it is not there')
    .option('--domain <domain>', 'what the group of the kind ends in: apps.<domain>', 'example.com')
    .option('--kind <name>', 'the first kind of the project', 'WebApp')
    .option('--no-install', 'do not run npm install')
    .option('--force', 'replace files that are there')
    .option('--dry-run', 'say what would be written, and write nothing')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: InitOptions) => {
      const { initProject } = await import('../scaffold/init-project.js');
      await initProject(folder, options);
    });
}

const EXAMPLES = `
Examples:
  kindwright init my-operator
  kindwright init my-operator --domain acme.io --kind Memcached
  kindwright init . --dry-run`;
