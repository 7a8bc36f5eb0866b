import { Command } from 'commander';
import type { CreateKindOptions } from '../scaffold/create-kind.js';

export function createCommand(configured: (command: Command) => Command): Command {
  const command = new Command('create').description('Writes what a project does not have yet.');
  return command.addCommand(configured(createKindCommand()));
}

function createKindCommand(): Command {
  return new Command('kind')
    .description(
      'Writes an operator for a new kind and its test, or a further version of a kind, into the project in this folder.',
    )
    .argument('<group/version>', 'for example apps.example.com/v1')
    .argument('<kind>', 'for example Memcached')
    .option('--cluster-scoped', 'objects of the kind belong to no namespace')
    .option('--force', 'replace files that are there')
    .option('--dry-run', 'say what would be written, and write nothing')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (apiVersion: string, kind: string, options: CreateKindOptions) => {
      const { createKind } = await import('../scaffold/create-kind.js');
      createKind(apiVersion, kind, options);
    });
}

const EXAMPLES = `
Examples:
  kindwright create kind apps.example.com/v1 Memcached
  kindwright create kind apps.example.com/v2 Memcached
  kindwright create kind infra.example.com/v1alpha1 Region --cluster-scoped`;
