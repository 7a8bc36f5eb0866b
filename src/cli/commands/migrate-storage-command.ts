import type { Command } from 'commander';
import type { MigrateStorageOptions } from '../migration/migrate-storage.js';
import { listArgument, rateArgument } from './arguments.js';
import { clusterCommand } from './cluster-command.js';

export function migrateStorageCommand(): Command {
  return clusterCommand('migrate-storage')
    .description(
      'Rewrites stored objects in the storage version of their kind, so that older versions can be removed. It can be interrupted and repeated.',
    )
    .option('--crd <names>', 'CustomResourceDefinitions to migrate (default: those of the classes)', listArgument)
    .option('--rate <objects>', 'objects to rewrite per second', rateArgument, 100)
    .option('--dry-run', 'convert and validate all objects, without changes')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: MigrateStorageOptions) => {
      const { migrateStorage } = await import('../migration/migrate-storage.js');
      await migrateStorage(files, options);
    });
}

const EXAMPLES = `
Examples:
  kindwright migrate-storage
  kindwright migrate-storage --crd podsets.apps.example.com --dry-run`;
