import { basename, extname } from 'node:path';
import { nearest } from '../base/nearest.js';
import { OperatorError } from '../base/operator-error.js';
import type { ResourceModel } from '../resource/model.js';
import type { DeploymentSettings } from './settings/deployment-settings.js';

/** A kind and the file that its class is in. */
export interface ManifestSource {
  readonly model: ResourceModel;
  /** Relative to the project, which is what the image holds. */
  readonly sourceFile: string;
}

/** How the objects of an operator are spread over files. */
export type LayoutName = 'plain' | 'kustomize' | 'helm';

/** What the manifests of an operator are made for. */
export interface ManifestOptions {
  /** Default `plain`. */
  readonly layout?: LayoutName;
  /** Image of the controller Deployment; default `controller:latest`. */
  readonly image?: string;
  /** Where the operators run; default: what `@Controller` says, else `<name>-system`. */
  readonly namespace?: string;
  /** The namespaces that operators are to watch, and have rights in; default: all. */
  readonly watchNamespaces?: readonly string[];
  /** Settings of the Deployments of all operators. */
  readonly deployment?: DeploymentSettings;
  /** Settings of the Deployment of one operator, by its name; each key replaces that of `deployment`. */
  readonly deployments?: Readonly<Record<string, DeploymentSettings>>;
  /** The longest description in schemas, in characters; 0 leaves all out. Default: no limit. */
  readonly maxDescriptionLength?: number;
  /** Told what is no mistake and yet to be known. */
  readonly warn?: (message: string) => void;
}

/** What one process runs: the kinds of one file. */
export interface Operator {
  /** The controller's name, or that of the file when it has several. */
  readonly name: string;
  readonly namespace: string;
  /** None for all. */
  readonly watchNamespaces: readonly string[];
  readonly image: string;
  readonly deployment: DeploymentSettings;
  readonly sourceFile: string;
  readonly models: readonly ResourceModel[];
}

/** The operators in the order of their names. */
export function operatorsOf(sources: readonly ManifestSource[], options: ManifestOptions): Operator[] {
  const byFile = Map.groupBy(sources, ({ sourceFile }) => sourceFile.replaceAll('\\', '/'));
  const operators = [...byFile].map(([sourceFile, group]) => {
    const models = group.map(({ model }) => model).sort((a, b) => (a.controller.name < b.controller.name ? -1 : 1));
    return operatorOf(sourceFile, models, options);
  });
  operators.sort((a, b) => (a.name < b.name ? -1 : 1));
  const twin = operators.find(({ name }, index) => operators[index + 1]?.name === name);
  if (twin)
    throw new OperatorError(`two operators are called ${twin.name}, one of them in ${twin.sourceFile}`, {
      code: 'E_SAME_NAME',
      hint: `@Controller({ name: '…' })`,
    });
  return operators;
}

/** @throws OperatorError when `deployments` names an operator that does not exist. */
export function assertKnownOperators(sources: readonly ManifestSource[], options: ManifestOptions): void {
  const reconciled = sources.filter(({ model }) => model.isReconciled);
  const names = operatorsOf(reconciled, options).map(({ name }) => name);
  const unknown = Object.keys(options.deployments ?? {}).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const similar = nearest(unknown, names);
  throw new OperatorError(`package.json: kindwright.deployments.${unknown}: no operator has this name`, {
    code: 'E_CONFIG',
    hint: similar === undefined ? `operators of this project: ${names.join(', ')}` : `did you mean ${similar}?`,
  });
}

function operatorOf(sourceFile: string, models: readonly ResourceModel[], options: ManifestOptions): Operator {
  const [first] = models;
  const name = models.length === 1 && first ? first.controller.name : nameOfFile(sourceFile);
  const {
    image = 'controller:latest',
    namespace = namespaceOf(name, sourceFile, models),
    watchNamespaces = [],
  } = options;
  const deployment = { ...options.deployment, ...options.deployments?.[name] };
  return { name, namespace, watchNamespaces, image, deployment, sourceFile, models };
}

function nameOfFile(sourceFile: string): string {
  return basename(sourceFile, extname(sourceFile))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
}

function namespaceOf(name: string, sourceFile: string, models: readonly ResourceModel[]): string {
  const stated = models
    .map(({ controller }) => controller)
    .filter((controller) => controller.namespace !== `${controller.name}-system`);
  const [namespace = `${name}-system`, ...others] = new Set(stated.map((controller) => controller.namespace));
  if (others.length === 0) return namespace;
  throw new OperatorError(
    `${sourceFile} runs as one process, and its kinds name namespaces ${[namespace, ...others].join(', ')}`,
    {
      code: 'E_NAMESPACES',
      hint: 'name one namespace in @Controller, put the classes into files of their own, or pass --namespace',
    },
  );
}
