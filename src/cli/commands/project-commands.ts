import { Command } from 'commander';
import type { InitOptions } from '../scaffold/init-project.js';
import type { UpgradeOptions } from '../upgrade/upgrade.js';
import { pathArgument } from './arguments.js';

export function initCommand(): Command {
  return new Command('init')
    .description('Creates a project with one operator and its tests.')
    .argument('[folder]', 'folder of the project; created if it does not exist', '.')
    .option('--domain <domain>', 'domain of the API group: apps.<domain>', 'example.com')
    .option('--kind <name>', 'first kind of the project', 'WebApp')
    .option('--no-install', 'do not run npm install')
    .option('--force', 'overwrite existing files')
    .option('--dry-run', 'print what would be written, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (folder: string, options: InitOptions) => {
      const { initProject } = await import('../scaffold/init-project.js');
      await initProject(folder, options);
    });
}

const INIT_EXAMPLES = `
Examples:
  kindwright init my-operator
  kindwright init my-operator --domain acme.io --kind Memcached
  kindwright init . --dry-run`;

export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description('Merges the changes of the scaffold in this version into the files of the project in this folder.')
    .option('--base <folder>', 'start from the record of another project, made by the same commands', pathArgument)
    .option('--force', 'upgrade files with uncommitted changes')
    .option('--dry-run', 'print the differences, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', UPGRADE_EXAMPLES)
    .action(async (options: UpgradeOptions) => {
      const { upgrade } = await import('../upgrade/upgrade.js');
      await upgrade(options);
    });
}

const UPGRADE_EXAMPLES = `
Files that you did not change are replaced. Changed files are merged, with markers as those of git where both sides
changed the same lines; the exit code is 1 then. Other files of the project are not touched.

Examples:
  npm install kindwright@latest && git commit -am 'Use the latest kindwright'
  kindwright upgrade --dry-run
  kindwright upgrade`;
