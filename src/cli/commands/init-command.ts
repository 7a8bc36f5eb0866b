import { Command } from 'commander';
import type { InitOptions } from '../scaffold/init-project.js';

export function initCommand(): Command {
  return new Command('init')
    .description('Creates a project with one operator and its tests.')
    .argument('<folder>', 'folder of the project; created if it does not exist')
    .option('--domain <domain>', 'domain of the API group: apps.<domain>', 'example.com')
    .option('--kind <name>', 'first kind of the project', 'WebApp')
    .option('--no-install', 'do not run npm install')
    .option('--force', 'overwrite existing files')
    .option('--dry-run', 'print what would be written, without changes')
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
