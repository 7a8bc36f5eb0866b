import { Command } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';

/** A command on operators and the cluster of a kubeconfig. */
export function clusterCommand(name: string): Command {
  return new Command(name)
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('-v, --verbose', 'show stack traces');
}
