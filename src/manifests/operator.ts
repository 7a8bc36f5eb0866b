import { basename, extname } from 'node:path';
import { resourceName } from '../api/kinds/kind-ref.js';
import { nearest } from '../base/nearest.js';
import { OperatorError } from '../base/operator-error.js';
import type { FeatureGates } from '../resource/feature-gates.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';
import { featureGatesOf, featureGatesText } from './feature-gates-of.js';
import type { DeploymentSettings } from './settings/deployment-settings.js';
import type { OlmSettings } from './settings/olm-settings.js';

/** A kind and the file that its class is in. */
export interface ManifestSource {
  readonly model: ResourceModel;
  /** Relative to the project, and thus to the folder of the image. */
  readonly sourceFile: string;
}

/** The way the objects of an operator are distributed over files. */
export type LayoutName = 'plain' | 'kustomize' | 'helm' | 'olm';

/**
 * The source of the certificates of webhooks: the operator itself, cert-manager, or a Secret and a `caBundle` that
 * something else provides.
 */
export type CertificateSource = 'self' | 'cert-manager' | 'files';

/** Options of the manifests. */
export interface ManifestOptions {
  /** Default `plain`. */
  readonly layout?: LayoutName;
  /** Image of the controller Deployment; default `controller:latest`. */
  readonly image?: string;
  /** Namespace of the operators; default: that of `@Controller`, otherwise `<name>-system`. */
  readonly namespace?: string;
  /** Namespaces that the operators watch and have permissions in; default: all. */
  readonly watchNamespaces?: readonly string[];
  /** Labels of the namespaces that the operators watch, which join and leave while they run. */
  readonly namespaceSelector?: string;
  /** Patterns of the names of these namespaces, such as `team-*`. */
  readonly namespacePatterns?: readonly string[];
  /** The source of the certificates of webhooks; default `self`. */
  readonly certificates?: CertificateSource;
  /** Generate alerts and a dashboard for each operator; default false. */
  readonly monitoring?: boolean;
  /** Generate a reference of each kind as Markdown and HTML; default false. */
  readonly docs?: boolean;
  /** Settings of the Deployments of all operators. */
  readonly deployment?: DeploymentSettings;
  /** Settings of the Deployment of one operator, by its name; each key replaces that of `deployment`. */
  readonly deployments?: Readonly<Record<string, DeploymentSettings>>;
  /** States of feature gates; default: those of their stages. The models were built with them. */
  readonly featureGates?: FeatureGates;
  /** Settings of the layout `olm`. */
  readonly olm?: OlmSettings;
  /** Maximum length of descriptions in schemas, in characters; 0 omits all. Default: no limit. */
  readonly maxDescriptionLength?: number;
  /** Version of the project, for charts. Default `0.1.0`. */
  readonly version?: string;
  /** Called with each warning. */
  readonly warn?: (message: string) => void;
}

/**
 * An operator: the classes that run in one process and are deployed together.
 *
 * They are the classes of one file. Files that declare versions of the same kind form one operator, because the process
 * that converts the objects of a kind needs all its versions.
 */
export interface Operator {
  /** The name of the only controller, or of the file if it has several. */
  readonly name: string;
  readonly namespace: string;
  /** The name of its ServiceAccount, if it is not the default. */
  readonly serviceAccount?: string;
  /** Empty for all namespaces. */
  readonly watchNamespaces: readonly string[];
  /** The arguments that select namespaces at run time; empty for those that the manifests name. */
  readonly namespaceArguments: readonly string[];
  readonly image: string;
  /** The version of the project, if it has one. */
  readonly version: string | undefined;
  readonly certificates: CertificateSource;
  /** True if manifests contain alerts and a dashboard. */
  readonly monitoring: boolean;
  readonly deployment: DeploymentSettings;
  /** The value of `--feature-gates`; empty without states that were set for gates of its classes. */
  readonly featureGates: string;
  readonly olm: OlmSettings;
  /** The files that its process loads, sorted: also those of versions that only define the kind. */
  readonly sourceFiles: readonly string[];
  /** The classes that run, sorted by the name of their controller. */
  readonly models: readonly ResourceModel[];
}

/** Leaves room for `-metrics-service` and `-webhook-service` in the 63 characters of a Service name. */
const MAX_NAME = 47;

/** The operators of the classes that run, sorted by name. */
export function operatorsOf(sources: readonly ManifestSource[], options: ManifestOptions): Operator[] {
  const operators = deploymentUnits(sources)
    .filter((unit) => unit.some(({ model }) => isRun(model)))
    .map((unit) => operatorOf(unit, options));
  operators.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, sourceFiles } of operators)
    if (name.length > MAX_NAME)
      throw new OperatorError(
        `${sourceFiles.join(', ')}: the operator name ${name} has ${name.length} characters; the limit is ${MAX_NAME}`,
        {
          code: 'E_CONFIG',
          hint: `name it with @Controller({ name: '…' }), or rename the file if it has several controllers`,
        },
      );
  const twin = operators.find(({ name }, index) => operators[index + 1]?.name === name);
  if (twin)
    throw new OperatorError(
      `duplicate operator name ${twin.name}, in ${twin.sourceFiles.join(', ')} and another file`,
      {
        code: 'E_SAME_NAME',
        hint: `name one of them with @Controller({ name: '…' })`,
      },
    );
  return operators;
}

/** @throws OperatorError when `deployments` names an operator that does not exist. */
export function assertKnownOperators(sources: readonly ManifestSource[], options: ManifestOptions): void {
  const names = operatorsOf(sources, options).map(({ name }) => name);
  const unknown = Object.keys(options.deployments ?? {}).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const similar = nearest(unknown, names);
  throw new OperatorError(`package.json: kindwright.deployments.${unknown}: no operator has this name`, {
    code: 'E_CONFIG',
    hint: similar === undefined ? `operators of this project: ${names.join(', ')}` : `did you mean ${similar}?`,
  });
}

/** Groups classes with the same file, or with files that declare versions of the same kind. */
function deploymentUnits(sources: readonly ManifestSource[]): ManifestSource[][] {
  const units = new Map<string, ManifestSource[]>();
  for (const source of sources) {
    const { kind, definesKind } = source.model;
    const keys = [`file ${posixPath(source)}`, ...(definesKind ? [`kind ${resourceName(kind)}`] : [])];
    const joined = new Set(keys.map((key) => units.get(key) ?? []));
    const unit = [...[...joined].flat(), source];
    for (const [key, former] of units) if (joined.has(former)) units.set(key, unit);
    for (const key of keys) units.set(key, unit);
  }
  return [...new Set(units.values())];
}

function posixPath({ sourceFile }: ManifestSource): string {
  return sourceFile.replaceAll('\\', '/');
}

function operatorOf(unit: readonly ManifestSource[], options: ManifestOptions): Operator {
  const sourceFiles = [...new Set(unit.map(posixPath))].sort();
  const run = unit
    .filter(({ model }) => isRun(model))
    .sort((a, b) => (a.model.controller.name < b.model.controller.name ? -1 : 1));
  const models = run.map(({ model }) => model);
  const name = nameOfOperator(run);
  const {
    image = 'controller:latest',
    version,
    namespace = namespaceOf(name, sourceFiles, models),
    watchNamespaces = [],
    certificates = 'self',
    monitoring = false,
    olm = {},
  } = options;
  const deployment = { ...options.deployment, ...options.deployments?.[name] };
  return {
    name,
    namespace,
    watchNamespaces,
    namespaceArguments: namespaceArguments(options),
    image,
    version,
    certificates,
    monitoring,
    deployment,
    featureGates: featureGatesText(options.featureGates ?? {}, featureGatesOf(unit.map(({ model }) => model))),
    olm,
    sourceFiles,
    models,
  };
}

/** @throws OperatorError if namespaces are both named and selected. */
function namespaceArguments({ watchNamespaces = [], namespaceSelector, namespacePatterns = [] }: ManifestOptions) {
  const selected = [
    ...(namespaceSelector === undefined ? [] : [`--namespace-selector=${namespaceSelector}`]),
    ...namespacePatterns.map((pattern) => `--namespace-pattern=${pattern}`),
  ];
  if (selected.length === 0 || watchNamespaces.length === 0) return selected;
  throw new OperatorError('watchNamespaces cannot be combined with namespaceSelector and namespacePatterns', {
    code: 'E_NAMESPACES',
    hint: 'name the namespaces, or select them by labels and patterns',
  });
}

function nameOfOperator(run: readonly ManifestSource[]): string {
  const reconciled = run.filter(({ model }) => model.isReconciled);
  const named = reconciled.length > 0 ? reconciled : run;
  const [file = ''] = named.map(posixPath).sort();
  const [first, second] = named;
  return first && !second ? first.model.controller.name : nameOfFile(file);
}

function nameOfFile(sourceFile: string): string {
  return basename(sourceFile, extname(sourceFile))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
}

function namespaceOf(name: string, sourceFiles: readonly string[], models: readonly ResourceModel[]): string {
  const stated = models
    .map(({ controller }) => controller)
    .filter((controller) => controller.namespace !== `${controller.name}-system`);
  const [namespace = `${name}-system`, ...others] = new Set(stated.map((controller) => controller.namespace));
  if (others.length === 0) return namespace;
  throw new OperatorError(
    `${sourceFiles.join(', ')}: the kinds run in one process but name different namespaces: ${[namespace, ...others].join(', ')}`,
    {
      code: 'E_NAMESPACES',
      hint: 'name one namespace in @Controller, move the classes to separate files, or pass --namespace',
    },
  );
}
