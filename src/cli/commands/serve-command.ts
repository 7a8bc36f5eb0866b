import { Command } from 'commander';
import type { ServeOptions } from '../serve.js';
import { countArgument, pathArgument, portArgument } from './arguments.js';
import { withLogOptions } from './log-options.js';
import { withPodOptions } from './pod-options.js';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Runs a Kubernetes API server with simulated nodes in this process, and prints its KUBECONFIG.')
    .option('--port <number>', 'port on 127.0.0.1 (default: a free port)', portArgument)
    .option('--data-dir <folder>', 'keep state here across restarts (default: in memory only)', pathArgument)
    .option(
      '--kubeconfig <file>',
      'file to write the kubeconfig to (default: a temporary file, deleted when the server stops)',
      pathArgument,
    )
    .option('--nodes <count>', 'number of nodes at startup (default: 2)', countArgument)
    .option('--without-controllers', 'run only the API server, like envtest: no nodes and no controllers');
  return withLogOptions(withPodOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../serve.js');
      await serve(options);
    });
}

const EXAMPLES = `
Examples:
  kindwright serve
  kindwright serve --pod-delay 2s --fail-pods 'app in (web, db)'
  kindwright serve --port 6443 --data-dir .cluster --kubeconfig .cluster/kubeconfig

Signals:
  SIGINT or SIGTERM stops the server.`;
