import { Command } from 'commander';
import type { ImportCrdOptions } from '../import-crd/import-crd.js';
import { pathArgument } from './arguments.js';

export function importCrdCommand(): Command {
  return new Command('import-crd')
    .description('Writes annotated classes for CustomResourceDefinitions.')
    .argument('[files...]', 'YAML or JSON files with CustomResourceDefinitions; - for standard input')
    .option('--from-cluster <name...>', 'read definitions of these names from a cluster, e.g. podsets.apps.example.com')
    .option('--kubeconfig <file>', 'with --from-cluster: as for run-operator')
    .option('--context <name>', 'with --from-cluster: context of the kubeconfig')
    .option('--out <folder>', 'output folder', pathArgument, 'operators')
    .option('--force', 'overwrite existing files')
    .option('--dry-run', 'print what would be written, without changes')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: ImportCrdOptions, command: Command) => {
      const problem = misused(files, options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      const { importCrd } = await import('../import-crd/import-crd.js');
      await importCrd(files, options);
    });
}

function misused(files: readonly string[], { fromCluster, kubeconfig, context }: ImportCrdOptions): string | undefined {
  if (files.length === 0 && fromCluster === undefined) return 'pass files, - or --from-cluster';
  if (fromCluster !== undefined || (kubeconfig ?? context) === undefined) return undefined;
  return `--${kubeconfig === undefined ? 'context' : 'kubeconfig'} requires --from-cluster`;
}

const EXAMPLES = `
Examples:
  kindwright import-crd crds/*.yaml
  kubectl get crd podsets.apps.example.com -o yaml | kindwright import-crd - --out src/podsets
  kindwright import-crd --from-cluster prometheuses.monitoring.coreos.com --dry-run

The classes have no reconcile method: operators can own and watch their kinds. To implement the operator of a kind,
add reconcile.`;
