import type { Command } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import { withFlags } from './flag.js';
import { operatorCommand, SIGNALS } from './operator-command.js';
import { EMBEDDED_FLAGS } from './operator-flags.js';
import { withPodOptions } from './pod-options.js';

export function devCommand(): Command {
  return operatorCommand(async (files, options, settings) => {
    const { runOperator } = await import('../run-operator.js');
    await runOperator(files, options, settings);
  }, withDevOptions)
    .name('dev')
    .description('Runs operators and uses their files as you save them, on an API server in this process.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .addHelpText('after', EXAMPLES + SIGNALS)
    .hook('preAction', setDefaults);
}

function withDevOptions(command: Command): Command {
  const { dataDir, console, open } = EMBEDDED_FLAGS;
  return withPodOptions(withFlags(command, { console, open, dataDir })).option(
    '--no-samples',
    'do not create the samples of the classes',
  );
}

/** Without a cluster, an API server in this process is used. */
function setDefaults(_: Command, command: Command): void {
  const isCluster = ['kubeconfig', 'context', 'master'].some((name) => command.getOptionValue(name) !== undefined);
  const implied = {
    reload: true,
    install: true,
    console: true,
    ...(!isCluster && { embedded: true, registerWebhooks: true }),
  };
  for (const [name, value] of Object.entries(implied))
    if (command.getOptionValue(name) === undefined) command.setOptionValueWithSource(name, value, 'implied');
}

const EXAMPLES = `
Examples:
  kindwright dev
  kindwright dev operators/podset.ts --data-dir .cluster
  kindwright dev --kubeconfig ~/.kube/config
`;
