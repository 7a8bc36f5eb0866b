import { Command, Option } from 'commander';
import type { DeployOptions } from '../deploy/deploy.js';
import type { InstallCommandOptions, UninstallOptions } from '../deploy/install.js';
import type { UndeployOptions } from '../deploy/undeploy.js';
import type { RequestReconcileOptions } from '../request-reconcile.js';
import { durationArgument, namespaceArgument } from './arguments.js';
import { clusterCommand } from './cluster-command.js';

export function installCommand(): Command {
  return clusterCommand('install')
    .description('Applies the CRDs of operators to a cluster, and waits until they are served.')
    .option('--dry-run', 'print what would be applied, without changes')
    .action(async (files: string[], options: InstallCommandOptions) => {
      const { install } = await import('../deploy/install.js');
      await install(files, options);
    });
}

export function uninstallCommand(): Command {
  return withTimeout(clusterCommand('uninstall'))
    .description('Deletes the CRDs of operators, and all objects of their kinds.')
    .option('-y, --yes', 'delete objects without confirmation')
    .option('--dry-run', 'print what would be deleted, without changes')
    .action(async (files: string[], options: UninstallOptions) => {
      const { uninstall } = await import('../deploy/install.js');
      await uninstall(files, options);
    });
}

export function deployCommand(): Command {
  return withTimeout(withNamespace(clusterCommand('deploy')))
    .description(
      'Applies the objects that operators need to run in a cluster, and waits until their Deployments are rolled out.',
    )
    .option('--image <image>', 'image of the operators (default: kindwright.image of package.json)')
    .option('--force-conflicts', 'take ownership of fields of other field managers')
    .addOption(
      new Option(
        '--dry-run [where]',
        'make no changes; client: print what would be applied, server: validate it on the server',
      )
        .choices(['client', 'server'])
        .preset('client'),
    )
    .addHelpText('after', DEPLOY_EXAMPLES)
    .action(async (files: string[], options: DeployOptions) => {
      const { deploy } = await import('../deploy/deploy.js');
      await deploy(files, options);
    });
}

export function undeployCommand(): Command {
  return withTimeout(withNamespace(clusterCommand('undeploy')))
    .description(
      'Deletes the objects that deploy applied. The CRDs, the objects of their kinds, and a namespace with other objects are kept.',
    )
    .option('--crds', 'delete the CRDs too, and all objects of their kinds')
    .option('-y, --yes', 'delete objects without confirmation')
    .option('--dry-run', 'print what would be deleted, without changes')
    .action(async (files: string[], options: UndeployOptions) => {
      const { undeploy } = await import('../deploy/undeploy.js');
      await undeploy(files, options);
    });
}

function withNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'namespace that the operators run in', namespaceArgument);
}

function withTimeout(command: Command): Command {
  const option = new Option('--timeout <duration>', 'how long to wait for each object');
  return command.addOption(option.argParser(durationArgument).default(120_000, '2m'));
}

const DEPLOY_EXAMPLES = `
Examples:
  kindwright deploy --image registry.example.com/podset:1.0
  kindwright deploy operators/podset.ts --image registry.example.com/podset:1.0 --namespace podsets
  kindwright deploy --image registry.example.com/podset:1.1 --dry-run=server`;

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
    .addHelpText('after', RECONCILE_EXAMPLES)
    .action(async (kind: string, name: string, options: RequestReconcileOptions) => {
      const { requestReconcile } = await import('../request-reconcile.js');
      await requestReconcile([kind, name], options);
    });
}

const RECONCILE_EXAMPLES = `
Examples:
  kindwright reconcile podset example
  kindwright reconcile podsets.apps.example.com example -n team-a --wait --timeout 2m`;
