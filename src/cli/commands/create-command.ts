import { Command } from 'commander';
import type { CreateKindOptions } from '../scaffold/create-kind.js';

export function createCommand(configured: (command: Command) => Command): Command {
  const command = new Command('create').description('Adds to a project.');
  return command.addCommand(configured(createKindCommand()));
}

function createKindCommand(): Command {
  return new Command('kind')
    .description(
      'Adds an operator for a new kind with its test, or another version of a kind, to the project in this folder.',
    )
    .argument('<group/version>', 'for example apps.example.com/v1')
    .argument('<kind>', 'for example Memcached')
    .option('--cluster-scoped', 'the kind is cluster-scoped')
    .option('--force', 'overwrite existing files')
    .option('--dry-run', 'print what would be written, without changes')
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
