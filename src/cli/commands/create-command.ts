import { Command } from 'commander';
import type { CreateWebhookOptions } from '../scaffold/create-webhook.js';
import type { CreateKindOptions } from '../scaffold/create-kind.js';

export function createCommand(configured: (command: Command) => Command): Command {
  const command = new Command('create').description('Adds a kind or webhooks to a project.');
  return command.addCommand(configured(createKindCommand())).addCommand(configured(createWebhookCommand()));
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

function createWebhookCommand(): Command {
  return new Command('webhook')
    .description('Adds methods that review writes to the class of a kind, and a test for them.')
    .argument('<kind>', 'for example Memcached')
    .option('--mutate', 'add only a @Mutate method')
    .option('--validate', 'add only a @Validate method')
    .option('--force', 'overwrite an existing test')
    .option('--dry-run', 'print what would be written, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', WEBHOOK_EXAMPLES)
    .action(async (kind: string, options: CreateWebhookOptions) => {
      const { createWebhook } = await import('../scaffold/create-webhook.js');
      createWebhook(kind, options);
    });
}

const WEBHOOK_EXAMPLES = `
Examples:
  kindwright create webhook Memcached
  kindwright create webhook Memcached --validate`;

const EXAMPLES = `
Examples:
  kindwright create kind apps.example.com/v1 Memcached
  kindwright create kind apps.example.com/v2 Memcached
  kindwright create kind infra.example.com/v1alpha1 Region --cluster-scoped`;
