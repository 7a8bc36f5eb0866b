import type { KindRef } from '../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../api/objects/kube-object.js';
import { OperatorError } from '../base/operator-error.js';
import { Diagnostics } from '../resource/diagnostics.js';
import { hasConversion } from '../resource/conversion/kind-conversion-of.js';
import { byKind } from '../resource/kinds/versions.js';
import { located } from '../resource/location.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';
import { customResourceDefinition } from './crd/crd.js';
import { collectCrdProblems } from './problems/crd-problems.js';
import { collectSize, releaseSize } from './problems/size-limits.js';
import { DOCKERFILE } from './dockerfile.js';
import { apiReference } from './docs/api-reference.js';
import { toHtml } from './docs/html.js';
import { toMarkdown } from './docs/markdown.js';
import { generatedHeader, yamlFile, type GeneratedFile } from './output/generated-file.js';
import { helmLayout } from './layouts/helm-layout.js';
import { kustomizeLayout } from './layouts/kustomize-layout.js';
import { bundleWarnings, olmLayout } from './olm/olm-layout.js';
import { operatorManifests } from './layouts/operator-manifests.js';
import { plainLayout } from './layouts/plain-layout.js';
import { singleFile } from './layouts/single-file.js';
import { memberObjects } from './access/access.js';
import { installedRole } from './access/installed-role.js';
import { operatorRoles } from './access/operator-roles.js';
import { operatorsOf, type LayoutName, type ManifestOptions, type ManifestSource, type Operator } from './operator.js';
import { sampleObjects } from './samples.js';
import { collectRuleResources } from './problems/rule-resources.js';
import { schemaLocation } from './problems/schema-location.js';
import { schemaWarnings } from './problems/schema-warnings.js';
import { hiddenMessages } from './problems/hidden-messages.js';
import { lostFields } from './problems/lost-fields.js';
import { compiledClasses } from './problems/compiled-classes.js';
import { collectAssignedFields } from './problems/assigned-fields.js';
import { expressionCosts } from './problems/expression-costs.js';
import { collectPolicyExpressions } from './problems/policy-problems.js';
import { collectWebhookExpressions, webhookWarnings } from './problems/webhook-problems.js';
import { collectMissingInjections } from './problems/missing-injections.js';
import { missingReconcile } from './problems/missing-reconcile.js';
import { narrowDeclarations } from './problems/narrow-declarations.js';
import { undecoratedProperties } from './problems/undecorated-properties.js';
import { shadowedNames } from './problems/shadowed-names.js';
import { commonLabels } from './labels.js';
import { policyObjects } from './webhooks/policy-objects.js';
import { withConversion } from './webhooks/webhook-objects.js';
import { withShortDescriptions } from './crd/short-description.js';

const LAYOUTS = { plain: plainLayout, kustomize: kustomizeLayout, helm: helmLayout, olm: olmLayout } as const;

/** The CustomResourceDefinition of a kind, and the classes that are its versions. */
interface KindDefinition {
  readonly models: readonly ResourceModel[];
  readonly sourceFile: string;
  readonly crd: UnstructuredObject;
}

/**
 * All files for a set of kinds, sorted by path; independent of the order of the kinds.
 *
 * A folder `<operator>/` contains the objects of an operator in the chosen layout, except that the layout `plain` keeps
 * each CustomResourceDefinition in `<group>_<plural>.yaml`. Kinds of classes that are not run have a definition and
 * samples, but no operator.
 * @throws ModelError that lists what the API server would refuse.
 */
export function generateManifests(sources: readonly ManifestSource[], options: ManifestOptions = {}): GeneratedFile[] {
  const definitions = definitionsOf(sources, options);
  const operators = checkedOperators(sources, options);
  const { layout = 'plain' } = options;
  const files = operators.flatMap((operator) => {
    const own = operatorFiles(operator, definitions, layout);
    if (layout === 'helm') for (const warning of releaseSize(operator.name, own)) options.warn?.(warning);
    if (layout === 'olm') for (const warning of bundleWarnings(operator)) options.warn?.(warning);
    return own;
  });
  for (const definition of definitions)
    if (layout === 'plain' || !hasOperator(definition)) files.push(definitionFile(definition, operators));
  files.push(...definitions.flatMap(sampleFiles));
  if (options.docs) files.push(...definitions.flatMap(docsFiles));
  for (const source of sources) if (!isRun(source.model)) files.push(...policyFiles(source, options));
  if (operators.length > 0) files.push({ path: 'Dockerfile', content: DOCKERFILE });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * One file with the objects of all kinds and operators in the order in which they must be applied.
 *
 * It has no samples, and no alerts or dashboard: these need the Prometheus operator.
 * @param path the path of the file
 * @throws ModelError that lists what the API server would refuse.
 */
export function generateSingleFile(
  path: string,
  sources: readonly ManifestSource[],
  options: ManifestOptions = {},
): GeneratedFile {
  const definitions = definitionsOf(sources, options);
  const operators = checkedOperators(sources, options);
  return singleFile(path, {
    sourceFiles: sources.map(({ sourceFile }) => sourceFile.replaceAll('\\', '/')),
    definitions: definitions.map((definition) => convertedDefinition(definition, operators)),
    operators: operators.map((operator) => operatorManifests(operator, [])),
    policies: sources.flatMap((source) => (isRun(source.model) ? [] : ownPolicies(source, options))),
  });
}

function checkedOperators(sources: readonly ManifestSource[], options: ManifestOptions): Operator[] {
  const operators = operatorsOf(sources, options);
  for (const operator of operators) {
    warnAboutClusterRoles(operator, options.warn);
    warnAboutReplicas(operator, options.warn);
    assertOneConverter(operator);
  }
  const diagnostics = new Diagnostics();
  collectMissingInjections(operators, diagnostics);
  diagnostics.throwIfAny();
  return operators;
}

function definitionsOf(
  sources: readonly ManifestSource[],
  { maxDescriptionLength = Infinity, warn }: ManifestOptions,
): KindDefinition[] {
  for (const warning of compiledClasses(sources)) warn?.(warning);
  const files = new Map(sources.map(({ model, sourceFile }) => [model, sourceFile.replaceAll('\\', '/')]));
  const diagnostics = new Diagnostics();
  for (const model of files.keys()) {
    collectRuleResources(model, diagnostics, warn);
    collectWebhookExpressions(model, diagnostics);
    collectAssignedFields(model, diagnostics);
    collectPolicyExpressions(model, diagnostics);
  }
  const definitions = byKind([...files.keys()]).map((models) => {
    const crd = withShortDescriptions(customResourceDefinition(...models), maxDescriptionLength);
    collectCrdProblems(crd, models, diagnostics);
    collectSize(crd, models, diagnostics, warn);
    const warnings = [
      ...models.flatMap(shadowedNames),
      ...models.flatMap(missingReconcile),
      ...models.flatMap(undecoratedProperties),
      ...models.flatMap(narrowDeclarations),
      ...models.flatMap(hiddenMessages),
      ...lostFields(models),
    ];
    for (const warning of new Set(warnings)) warn?.(warning);
    for (const [index, { schema }] of crd.spec.versions.entries())
      for (const { path, problem } of schemaWarnings(schema?.openAPIV3Schema ?? {}))
        warn?.(schemaMessage(path, problem, models[index]));
    const origins = models.map((model) => files.get(model) ?? '');
    return { models, sourceFile: [...new Set(origins)].sort().join(', '), crd };
  });
  for (const model of files.keys())
    for (const warning of [...webhookWarnings(model), ...expressionCosts(model)]) warn?.(warning);
  diagnostics.throwIfAny();
  return definitions;
}

function schemaMessage(path: string, problem: string, model: ResourceModel | undefined): string {
  if (!model) return problem;
  const { location, rest } = schemaLocation(path, model.classModel);
  return located(location, rest === '' ? problem : `${problem} (${rest})`);
}

function operatorFiles(
  operator: Operator,
  definitions: readonly KindDefinition[],
  layout: LayoutName,
): GeneratedFile[] {
  const crds = operator.models.map((model) => definitions.find(({ models }) => models.includes(model))?.crd);
  const own = new Set(crds.filter((crd) => crd !== undefined));
  return [...LAYOUTS[layout](operator, [...own]), ...memberFiles(operator)];
}

/** The same in all layouts, because it is applied in other clusters than the operator. */
function memberFiles(operator: Operator): GeneratedFile[] {
  const objects = memberObjects(operator);
  if (objects.length === 0) return [];
  return [yamlFile(`${operator.name}/member-cluster/access.yaml`, operator.sourceFiles.join(', '), objects)];
}

/** Warns about cluster-wide permissions of an operator that watches only some namespaces. */
function warnAboutClusterRoles(operator: Operator, warn: ManifestOptions['warn']): void {
  if (operator.watchNamespaces.length === 0) return;
  for (const role of operatorRoles(operator)) {
    const { name, namespace, rules } = installedRole(operator, role);
    if (namespace !== undefined) continue;
    const what = rules.flatMap(({ resources = [], nonResourceURLs = [] }) => [...resources, ...nonResourceURLs]);
    warn?.(`${operator.name}: ${what.join(', ')} are not namespaced and remain in ClusterRole ${name}`);
  }
}

/** @throws OperatorError for conversions by an operator that is installed once for each of several namespaces. */
function assertOneConverter({ watchNamespaces, models }: Operator): void {
  const converted = models.find(({ target }) => hasConversion(target));
  if (!converted || watchNamespaces.length === 0) return;
  const problem = 'only one installation can convert the objects of a cluster';
  throw new OperatorError(located({ target: converted.target }, problem), {
    code: 'E_CONVERSION',
    hint: 'watch all namespaces, or convert in an operator of its own: see "One operator per namespace" in docs/versions.md',
  });
}

/** Warns about an operator if every write of its kinds requires its only pod. */
function warnAboutReplicas({ name, models, deployment }: Operator, warn: ManifestOptions['warn']): void {
  const { replicas = 2 } = deployment;
  const required = models.find(
    ({ webhooks, target }) => webhooks.some(({ failurePolicy }) => failurePolicy === 'Fail') || hasConversion(target),
  );
  if (!required || replicas >= 2) return;
  const problem = `with fewer than 2 replicas of ${name}, writes fail whenever the pod restarts`;
  warn?.(`${located({ target: required.target }, problem)}; set deployment.replicas to 2`);
}

/** The policies of a class without an operator, which need none. */
function policyFiles(source: ManifestSource, options: ManifestOptions): GeneratedFile[] {
  const objects = ownPolicies(source, options);
  if (objects.length === 0) return [];
  const { model, sourceFile } = source;
  return [yamlFile(`policies/${model.controller.name}.yaml`, sourceFile.replaceAll('\\', '/'), objects)];
}

function ownPolicies(
  { model }: ManifestSource,
  { watchNamespaces = [], namespace }: ManifestOptions,
): readonly UnstructuredObject[] {
  const { name, namespace: ownNamespace } = model.controller;
  const options = { namespaces: watchNamespaces, ownNamespace: namespace ?? ownNamespace };
  return policyObjects([model], { labels: commonLabels({ name }), ...options });
}

/** The samples of a kind without an operator, and those that versions which no operator runs declare. */
function sampleFiles(definition: KindDefinition): GeneratedFile[] {
  const { models, sourceFile } = definition;
  const shown = hasOperator(definition) ? models.filter((model) => !isRun(model) && model.samples.length > 0) : models;
  if (shown.length === 0) return [];
  return [yamlFile(`samples/${crdPath(models)}`, sourceFile, shown.flatMap(sampleObjects))];
}

/** The reference of a kind in two formats. */
function docsFiles({ models, sourceFile }: KindDefinition): GeneratedFile[] {
  const reference = apiReference(models);
  const header = `<!-- ${generatedHeader(sourceFile)} -->\n`;
  const path = `docs/${crdPath(models).replace(/\.yaml$/, '')}`;
  return [
    { path: `${path}.md`, content: `${header}\n${toMarkdown(reference)}` },
    { path: `${path}.html`, content: header + toHtml(reference) },
  ];
}

function hasOperator({ models }: KindDefinition): boolean {
  return models.some(isRun);
}

function definitionFile(definition: KindDefinition, operators: readonly Operator[]): GeneratedFile {
  const { models, sourceFile } = definition;
  return yamlFile(crdPath(models), sourceFile, [convertedDefinition(definition, operators)]);
}

function convertedDefinition({ models, crd }: KindDefinition, operators: readonly Operator[]): UnstructuredObject {
  const operator = operators.find((each) => each.models.some((model) => models.includes(model)));
  return operator ? withConversion(crd, operator) : crd;
}

function crdPath([model]: readonly ResourceModel[]): string {
  return model ? definitionPath(model.kind) : '';
}

/** The file of a CustomResourceDefinition, named as by controller-gen. */
export function definitionPath({ group, plural }: KindRef): string {
  return `${group}_${plural}.yaml`;
}
