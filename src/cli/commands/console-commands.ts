import { Command } from 'commander';
import type { ClusterConsoleOptions } from '../console/cluster/cluster-console.js';
import type { ConsoleChoice } from '../console/console-client.js';
import type { TopOptions } from '../console/top.js';
import { namespaceArgument, portArgument } from './arguments.js';

type ObjectOptions = ConsoleChoice & { readonly namespace?: string };

export function whyCommand(): Command {
  return objectCommand('why', 'Prints why the operator that runs on this machine has reconciled an object.')
    .addHelpText('after', '\nExamples:\n  kindwright why podset example\n  kindwright why deploy web -n team-a')
    .action(async (kind: string, name: string, { namespace, ...choice }: ObjectOptions) => {
      const { why } = await import('../console/why.js');
      await why({ kind, name, namespace }, choice);
    });
}

export function treeCommand(): Command {
  return objectCommand('tree', 'Prints an object with its owners and the objects that they own.')
    .addHelpText('after', '\nExamples:\n  kindwright tree podset example')
    .action(async (kind: string, name: string, { namespace, ...choice }: ObjectOptions) => {
      const { tree } = await import('../console/tree.js');
      await tree({ kind, name, namespace }, choice);
    });
}

export function topCommand(): Command {
  return withUrl(new Command('top'))
    .description('Shows the queues and objects of the operator that runs on this machine.')
    .option('--once', 'print once and end; the default when the output is not a terminal')
    .action(async (options: TopOptions) => {
      const { top } = await import('../console/top.js');
      await top(options);
    });
}

export function consoleCommand(): Command {
  return new Command('console')
    .description('Serves the console of an operator in a cluster on this machine, with your permissions, until Ctrl-C.')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('-n, --namespace <name>', 'namespace of the operator (default: that of the context)', namespaceArgument)
    .option('--pod <name>', 'pod of the operator (default: the one that leads)')
    .option('--service-account <[namespace/]name>', 'show what this service account may list, by a token of it')
    .option('--port <port>', 'port on 127.0.0.1 (default: 4191 or the next free one)', portArgument)
    .option('--open', 'open the page in the browser; only from a terminal, and not in CI')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', '\nExamples:\n  kindwright console -n podset-system\n  kindwright why podset example')
    .action(async (options: ClusterConsoleOptions) => {
      const { clusterConsole } = await import('../console/cluster/cluster-console.js');
      await clusterConsole(options);
    });
}

function objectCommand(name: string, description: string): Command {
  return withUrl(new Command(name))
    .description(description)
    .argument('<kind>', 'kind, plural or short name, e.g. podset')
    .argument('<name>', 'name of the object')
    .option('-n, --namespace <name>', 'namespace of the object (default: all, if the name is unique)');
}

function withUrl(command: Command): Command {
  return command.option(
    '--url <url>',
    'URL of the console with its token (default: the console that was started last)',
  );
}
