import { Command } from 'commander';
import type { ImportCrdOptions } from '../import-crd/import-crd.js';
import { pathArgument } from './arguments.js';

export function importCrdCommand(): Command {
  return new Command('import-crd')
    .description('Writes the annotated classes that say what CustomResourceDefinitions say.')
    .argument('[files...]', 'files in YAML or JSON, with any number of definitions; - for standard input')
    .option('--from-cluster <name...>', 'read definitions from a cluster, by their names: podsets.apps.example.com')
    .option('--kubeconfig <file>', 'with --from-cluster: as for run-operator')
    .option('--context <name>', 'with --from-cluster: context of the kubeconfig')
    .option('--out <folder>', 'where to write', pathArgument, 'operators')
    .option('--force', 'replace files that are there')
    .option('--dry-run', 'say what would be written, and write nothing')
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
  if (files.length === 0 && fromCluster === undefined) return 'give files, - or --from-cluster';
  if (fromCluster !== undefined || (kubeconfig ?? context) === undefined) return undefined;
  return `--${kubeconfig === undefined ? 'context' : 'kubeconfig'} is for --from-cluster`;
}

const EXAMPLES = `
Examples:
  kindwright import-crd crds/*.yaml
  kubectl get crd podsets.apps.example.com -o yaml | kindwright import-crd - --out src/podsets
  kindwright import-crd --from-cluster prometheuses.monitoring.coreos.com --dry-run

The classes are abstract and have no reconcile: they define their kinds, and others can own and watch them. To take an
operator over, remove abstract and write reconcile.`;
