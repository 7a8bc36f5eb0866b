import { Command, Option } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import type { GenerateManifestsOptions } from '../write-or-check-manifests.js';
import { lengthArgument, namespaceArgument, namespacesArgument, pathArgument } from './arguments.js';

export function generateManifestsCommand(): Command {
  return new Command('generate-manifests')
    .description('Generates the CRDs of annotated classes, and the manifests that run their operators in a cluster.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--out <folder>', 'output folder (default: crds-out)', pathArgument)
    .addOption(
      new Option(
        '--layout <layout>',
        'files for kubectl apply, folders for kustomize, or a chart for Helm (default: plain)',
      ).choices(['plain', 'kustomize', 'helm']),
    )
    .option('--check', 'write nothing; print the differences and exit with 1 if there are any')
    .option('--prune', 'delete files of earlier runs that are no longer generated')
    .option(
      '--check-rbac <file>',
      'compare the RBAC rules with a record of run-operator --record-rbac; fail when one is missing or unused',
    )
    .option(
      '--against <commit|path>',
      'compare the API with that of a git commit, file or folder; fail when a change is breaking',
    )
    .option('--cluster', 'validate the stored objects of a cluster against the new schemas; fail when one is invalid')
    .option('--kubeconfig <file>', 'with --cluster: as for run-operator')
    .option('--context <name>', 'with --cluster: context of the kubeconfig')
    .option('--allow-breaking', 'with --against or --cluster: write the files nevertheless')
    .option('--image <image>', 'image of the controller Deployment')
    .option('-n, --namespace <name>', 'namespace that the operator runs in', namespaceArgument)
    .option(
      '--watch-namespace <names>',
      'namespaces that the operator watches and has permissions in; may be given more than once (default: all)',
      namespacesArgument,
    )
    .addOption(
      new Option('--certificates <source>', 'source of the certificates of webhooks (default: self)').choices([
        'self',
        'cert-manager',
        'files',
      ]),
    )
    .option('--monitoring', 'also write alerts for Prometheus and a dashboard for Grafana')
    .option(
      '--max-description-length <characters>',
      'truncate longer descriptions at the end of a sentence',
      lengthArgument,
    )
    .option('--no-descriptions', 'omit all descriptions from the schemas')
    .option('-v, --verbose', 'show stack traces')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: GenerateManifestsOptions, command: Command) => {
      const problem = misplaced(options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      const { writeOrCheckManifests } = await import('../write-or-check-manifests.js');
      await writeOrCheckManifests(files, options);
    });
}

/** An option that has no effect without another one, or contradicts one. */
function misplaced(options: GenerateManifestsOptions): string | undefined {
  const { check, prune, layout, namespace } = options;
  if (check && prune) return '--prune cannot be combined with --check';
  if (layout === 'helm' && namespace !== undefined)
    return '--namespace is not supported with --layout helm: pass it to helm install';
  return withoutGuard(options);
}

/** An option of --against or --cluster without these. */
function withoutGuard({ against, cluster, allowBreaking, kubeconfig, context }: GenerateManifestsOptions) {
  if (allowBreaking && against === undefined && !cluster) return '--allow-breaking requires --against or --cluster';
  if (cluster || (kubeconfig ?? context) === undefined) return undefined;
  return `--${kubeconfig === undefined ? 'context' : 'kubeconfig'} requires --cluster`;
}

const EXAMPLES = `
Options of the Deployment, and defaults of --out, --layout, --image, --namespace, --watch-namespace,
--monitoring and --max-description-length, are read from the member "kindwright" of package.json: see docs/deployment.md.

Examples:
  generate-manifests
  generate-manifests operators/podset.ts --image registry.example.com/podset:1.0
  generate-manifests --layout helm --out deploy
  generate-manifests --check        in CI: fails when crds-out is out of date
  generate-manifests --check --against origin/main        in CI: fails when a change breaks users of the API
  kubectl apply -f crds-out/podset/`;
