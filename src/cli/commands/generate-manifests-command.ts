import { Command, Option } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import type { GenerateManifestsOptions } from '../write-or-check-manifests.js';
import {
  featureGatesArgument,
  foldersArgument,
  lengthArgument,
  namespaceArgument,
  listArgument,
  namespacesArgument,
  pathArgument,
  pathsArgument,
  yamlFileArgument,
} from './arguments.js';

export function generateManifestsCommand(): Command {
  return new Command('generate-manifests')
    .description('Generates the CRDs of annotated classes, and the manifests that run their operators in a cluster.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .option('--out <folder>', 'output folder (default: crds-out)', pathArgument)
    .option(
      '--folder <part=folder>',
      'folder within the output folder for crds, roles, webhooks, samples or monitoring; may be given more than once',
      foldersArgument,
    )
    .addOption(
      new Option(
        '--layout <layout>',
        'files for kubectl apply, folders for kustomize, a chart for Helm, or a bundle for OLM (default: plain)',
      ).choices(['plain', 'kustomize', 'helm', 'olm']),
    )
    .addOption(
      new Option(
        '--single-file [path]',
        'write all objects into one file for kubectl apply (default: dist/install.yaml)',
      )
        .preset('dist/install.yaml')
        .argParser(yamlFileArgument),
    )
    .option(
      '--patch-crds <path>',
      'replace only the schemas in existing CRDs of a file or folder; may be given more than once',
      pathsArgument,
    )
    .option('--header-file <file>', 'start each file with the text of this file, such as a license', pathArgument)
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
    .option('--namespace-selector <labels>', 'labels of the namespaces that the operator watches, which join and leave')
    .option(
      '--namespace-pattern <pattern>',
      'pattern of their names, e.g. team-*; may be given more than once',
      listArgument,
    )
    .addOption(
      new Option('--certificates <source>', 'source of the certificates of webhooks (default: self)').choices([
        'self',
        'cert-manager',
        'files',
      ]),
    )
    .option(
      '--feature-gates <gates>',
      'states of feature gates, e.g. Backups=true,AllBeta=false; may be given more than once',
      featureGatesArgument,
    )
    .option('--monitoring', 'also write alerts for Prometheus and a dashboard for Grafana')
    .option('--docs', 'also write a reference of each kind, as Markdown and HTML')
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
  if (options.watchNamespace && (options.namespaceSelector !== undefined || options.namespacePattern))
    return '--watch-namespace cannot be combined with --namespace-selector and --namespace-pattern';
  if (check && prune) return '--prune cannot be combined with --check';
  if (layout === 'helm' && namespace !== undefined)
    return '--namespace is not supported with --layout helm: pass it to helm install';
  return conflictWithPatchCrds(options) ?? conflictWithSingleFile(options) ?? withoutGuard(options);
}

const WITHOUT_EFFECT_ON_SCHEMAS = {
  out: '--out',
  folder: '--folder',
  layout: '--layout',
  singleFile: '--single-file',
  headerFile: '--header-file',
  prune: '--prune',
  image: '--image',
  namespace: '--namespace',
  watchNamespace: '--watch-namespace',
  namespaceSelector: '--namespace-selector',
  namespacePattern: '--namespace-pattern',
  certificates: '--certificates',
  monitoring: '--monitoring',
  docs: '--docs',
} as const satisfies Partial<Record<keyof GenerateManifestsOptions, string>>;

/** An option of the written files with --patch-crds. */
function conflictWithPatchCrds(options: GenerateManifestsOptions) {
  if (!options.patchCrds) return undefined;
  const other = Object.entries(WITHOUT_EFFECT_ON_SCHEMAS).find(([name]) => name in options);
  return other && `--patch-crds cannot be combined with ${other[1]}`;
}

/** An option of folders with --single-file. */
function conflictWithSingleFile(options: GenerateManifestsOptions) {
  const { singleFile, layout = 'plain', out, prune, monitoring, docs, folder } = options;
  if (singleFile === undefined) return undefined;
  if (folder) return '--single-file cannot be combined with --folder';
  if (layout !== 'plain') return `--single-file cannot be combined with --layout ${layout}`;
  if (out !== undefined)
    return '--single-file cannot be combined with --out: pass the path of the file to --single-file';
  if (prune) return '--single-file cannot be combined with --prune';
  if (docs) return '--single-file cannot be combined with --docs';
  return monitoring
    ? '--single-file cannot be combined with --monitoring: alerts need the Prometheus operator'
    : undefined;
}

/** An option of --against or --cluster without these. */
function withoutGuard({ against, cluster, allowBreaking, kubeconfig, context }: GenerateManifestsOptions) {
  if (allowBreaking && against === undefined && !cluster) return '--allow-breaking requires --against or --cluster';
  if (cluster || (kubeconfig ?? context) === undefined) return undefined;
  return `--${kubeconfig === undefined ? 'context' : 'kubeconfig'} requires --cluster`;
}

const EXAMPLES = `
Options of the Deployment, and defaults of --out, --folder, --layout, --header-file, --image, --namespace,
--watch-namespace, --feature-gates, --monitoring, --docs and --max-description-length, are read from the member "kindwright" of package.json: see docs/deployment.md.

Examples:
  generate-manifests
  generate-manifests operators/podset.ts --image registry.example.com/podset:1.0
  generate-manifests --layout helm --out deploy
  generate-manifests --single-file dist/install.yaml
  generate-manifests --patch-crds config/crd
  generate-manifests --check        in CI: fails when crds-out is out of date
  generate-manifests --check --against origin/main        in CI: fails when a change breaks users of the API
  kubectl apply -f crds-out/apps.example.com_podsets.yaml -f crds-out/podset/`;
