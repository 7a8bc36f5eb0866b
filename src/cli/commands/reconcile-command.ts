import { Command } from 'commander';
import type { RequestReconcileOptions } from '../request-reconcile.js';
import { durationArgument } from './arguments.js';

export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description('Requests a reconcile of an object from the operator that runs in a cluster or on this machine.')
    .argument('<kind>', 'custom kind, plural or short name, e.g. podset')
    .argument('<name>', 'name of the object')
    .option('-n, --namespace <name>', 'namespace of the object (default: that of the kubeconfig)')
    .option('--wait', 'wait until a reconcile has succeeded; exit with 1 if none has')
    .option('--timeout <duration>', 'with --wait: how long', durationArgument, 60_000)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: string, name: string, options: RequestReconcileOptions) => {
      const { requestReconcile } = await import('../request-reconcile.js');
      await requestReconcile([kind, name], options);
    });
}

const EXAMPLES = `
Examples:
  kindwright reconcile podset example
  kindwright reconcile podsets.apps.example.com example -n team-a --wait --timeout 2m`;
