import { Command, Option } from 'commander';
import type { DeployOptions } from '../deploy/deploy.js';
import type { InstallOptions, UninstallOptions } from '../deploy/install.js';
import type { UndeployOptions } from '../deploy/undeploy.js';
import { DEFAULT_PATTERN } from '../find-files.js';
import { durationArgument, namespaceArgument } from './arguments.js';

export function installCommand(): Command {
  return clusterCommand('install')
    .description('Applies the CRDs of operators to a cluster, and waits until they are served.')
    .option('--dry-run', 'say what would be applied, and change nothing')
    .action(async (files: string[], options: InstallOptions) => {
      const { install } = await import('../deploy/install.js');
      await install(files, options);
    });
}

export function uninstallCommand(): Command {
  return withTimeout(clusterCommand('uninstall'))
    .description('Deletes the CRDs of operators, and with them all objects of their kinds.')
    .option('-y, --yes', 'delete objects without asking')
    .option('--dry-run', 'say what would be deleted, and change nothing')
    .action(async (files: string[], options: UninstallOptions) => {
      const { uninstall } = await import('../deploy/install.js');
      await uninstall(files, options);
    });
}

export function deployCommand(): Command {
  return withTimeout(withNamespace(clusterCommand('deploy')))
    .description('Applies all that operators need to run in a cluster, and waits until they run.')
    .option('--image <image>', 'image of the operators (default: kindwright.image of package.json)')
    .option('--force-conflicts', 'take over fields that other tools have set')
    .addOption(
      new Option('--dry-run [where]', 'change nothing; client: say what would be applied, server: have it checked')
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
    .description('Takes away what deploy applied. The CRDs, and so the objects of their kinds, stay.')
    .option('--crds', 'delete the CRDs too, and with them all objects of their kinds')
    .option('-y, --yes', 'with --crds: delete objects without asking')
    .option('--dry-run', 'say what would be deleted, and change nothing')
    .action(async (files: string[], options: UndeployOptions) => {
      const { undeploy } = await import('../deploy/undeploy.js');
      await undeploy(files, options);
    });
}

function clusterCommand(name: string): Command {
  return new Command(name)
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('-v, --verbose', 'show stack traces');
}

function withNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'namespace that the operators run in', namespaceArgument);
}

function withTimeout(command: Command): Command {
  const option = new Option('--timeout <duration>', 'how long to wait for each thing');
  return command.addOption(option.argParser(durationArgument).default(120_000, '2m'));
}

const DEPLOY_EXAMPLES = `
Examples:
  kindwright deploy --image registry.example.com/podset:1.0
  kindwright deploy operators/podset.ts --image registry.example.com/podset:1.0 --namespace podsets
  kindwright deploy --image registry.example.com/podset:1.1 --dry-run=server`;
