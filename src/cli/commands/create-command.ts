import { Command, InvalidArgumentError, Option } from 'commander';
import type { CreateWebhookOptions } from '../scaffold/create-webhook.js';
import type { CreateApiOptions, CreateKindOptions } from '../scaffold/create-kind.js';

/** @param configured adds what all commands have; the option --version unless `hasVersion` is false */
export function createCommand(configured: (command: Command, hasVersion?: boolean) => Command): Command {
  const command = new Command('create').description('Adds a kind or webhooks to a project.').enablePositionalOptions();
  return command
    .addCommand(configured(createKindCommand()))
    .addCommand(configured(createApiCommand(), false))
    .addCommand(configured(createWebhookCommand()));
}

function createApiCommand(): Command {
  return new Command('api')
    .description('Does what create kind does, with the options of kubebuilder and operator-sdk.')
    .requiredOption('--group <group>', 'group of the API; one without a dot is completed by the domain of the project')
    .requiredOption('--version <version>', 'version of the API, for example v1alpha1')
    .requiredOption('--kind <kind>', 'for example Memcached')
    .option('--namespaced [boolean]', 'false if the kind is cluster-scoped', booleanArgument, true)
    .addOption(new Option('--resource', 'no effect: one class is resource and controller').hideHelp())
    .addOption(new Option('--controller', 'no effect: one class is resource and controller').hideHelp())
    .option('--force', 'overwrite existing files')
    .option('--dry-run', 'print what would be written, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', API_EXAMPLES)
    .action(async (options: CreateApiOptions) => {
      const { createApi } = await import('../scaffold/create-kind.js');
      createApi(options);
    });
}

function booleanArgument(value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InvalidArgumentError('Pass true or false.');
}

const API_EXAMPLES = `
Examples:
  kindwright create api --group cache --version v1alpha1 --kind Memcached
  kindwright create api --group infra --version v1 --kind Region --namespaced=false`;

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
