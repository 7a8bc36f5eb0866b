import type { Command } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import { operatorCommand, SIGNALS } from './operator-command.js';
import { withFlags } from './flag.js';
import { EMBEDDED_FLAGS } from './operator-flags.js';
import { withPodOptions } from './pod-options.js';

export function runOperatorCommand(): Command {
  return operatorCommand(async (files, options, settings) => {
    const { runOperator } = await import('../run-operator.js');
    await runOperator(files, options, settings);
  }, withEmbeddedOptions)
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .addHelpText('after', EXAMPLES + SIGNALS);
}

function withEmbeddedOptions(command: Command): Command {
  return withPodOptions(withFlags(command, EMBEDDED_FLAGS), 'with --embedded: ');
}

const EXAMPLES = `
Examples:
  run-operator
  run-operator operators/podset.ts --install
  run-operator operators/podset.ts --embedded
  run-operator operators/podset.ts operators/helloapp.ts --namespace team-a --namespace team-b
  run-operator --leader-elect --metrics-bind-address :8080 --health-probe-bind-address :8081
`;
