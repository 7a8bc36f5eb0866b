import { Command } from 'commander';
import type { NewFileOptions } from '../scaffold/write-new-files.js';

export function deleteCommand(configured: (command: Command) => Command): Command {
  const kind = deletion('kind', 'Deletes the files of a kind that init and create generated.');
  const webhook = deletion(
    'webhook',
    'Removes the methods that review writes from the class of a kind, and their test.',
  );
  return new Command('delete')
    .description('Removes a kind or webhooks from a project.')
    .addCommand(
      configured(kind).action(async (name: string, options: NewFileOptions) => {
        const { deleteKind } = await import('../scaffold/delete-kind.js');
        deleteKind(name, options);
      }),
    )
    .addCommand(
      configured(webhook).action(async (name: string, options: NewFileOptions) => {
        const { deleteWebhook } = await import('../scaffold/delete-kind.js');
        deleteWebhook(name, options);
      }),
    );
}

function deletion(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<kind>', 'for example Memcached')
    .option('--force', 'also delete files that you changed')
    .option('--dry-run', 'print what would be deleted, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText(
      'after',
      `\nExamples:\n  kindwright delete ${name} Memcached --dry-run\n  kindwright delete ${name} Memcached`,
    );
}
