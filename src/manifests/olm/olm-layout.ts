import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';
import { operatorManifests, type OperatorManifests } from '../layouts/operator-manifests.js';
import type { Operator } from '../operator.js';
import { generatedHeader, type GeneratedFile } from '../output/generated-file.js';
import { clusterServiceVersion } from './cluster-service-version.js';
import { droppedOptions } from './webhook-definitions.js';

/** A bundle for the Operator Lifecycle Manager, in the folders of operator-sdk, and the Dockerfile of its image. */
export function olmLayout(operator: Operator, definitions: readonly UnstructuredObject[]): GeneratedFile[] {
  const { name, olm } = operator;
  const sourceFile = operator.sourceFiles.join(', ');
  const manifests = bundled(operator, definitions);
  const { channels = ['stable'] } = olm;
  const annotations = annotationsOf(name, channels);
  const text = (path: string, content: string): GeneratedFile => {
    return { path: `${name}/${path}`, content: `# ${generatedHeader(sourceFile)}\n${content}` };
  };
  // Without a line of dashes: OLM reads the first document of a file, which would be the comment.
  const file = (path: string, value: object): GeneratedFile => text(`bundle/${path}.yaml`, stringifyYaml(value));
  return [
    file(`manifests/${name}.clusterserviceversion`, clusterServiceVersion(manifests)),
    ...definitions.map((definition) => file(`manifests/${definitionFile(definition)}`, definition)),
    ...userRoles(manifests).map((role) => file(`manifests/${role.metadata.name}`, role)),
    file('tests/scorecard/config', scorecardConfiguration()),
    file('metadata/annotations', { annotations }),
    text('bundle.Dockerfile', dockerfile(annotations)),
  ];
}

/** Warnings about content that a bundle cannot contain, and about settings that OperatorHub requires. */
export function bundleWarnings(operator: Operator): string[] {
  const { name, olm, namespace, watchNamespaces, monitoring } = operator;
  const manifests = bundled(operator, []);
  const elsewhere = manifests.roles.filter(({ metadata }) => ![undefined, namespace].includes(metadata.namespace));
  const missing = (['provider', 'maintainers', 'icon', 'links', 'minKubeVersion'] as const).filter((key) => !olm[key]);
  return [
    ...(missing.length === 0
      ? []
      : [`the settings olm.${missing.join(', olm.')} are missing; OperatorHub expects them`]),
    ...elsewhere.map(
      ({ metadata }) => `${metadata.name} in namespace ${metadata.namespace ?? ''} is not part of the bundle`,
    ),
    ...(watchNamespaces.length === 0 ? [] : ['watchNamespaces is ignored: a bundle watches the namespaces of all']),
    ...droppedOptions(manifests).map((option) => `OLM does not support the option of webhook ${option}`),
    ...(manifests.policies.length === 0
      ? []
      : ['its admission policies are not part of the bundle; apply them separately']),
    ...(monitoring ? ['alerts and dashboard are not part of the bundle; generate them with another layout'] : []),
  ].map((warning) => `bundle of ${name}: ${warning}`);
}

/** With certificates of OLM, which sets the `caBundle` too, and for all namespaces. */
function bundled(operator: Operator, definitions: readonly UnstructuredObject[]): OperatorManifests {
  return operatorManifests({ ...operator, certificates: 'files', watchNamespaces: [] }, definitions);
}

/** OLM creates the bound roles itself. */
function userRoles({ roles, bindings }: OperatorManifests): UnstructuredObject[] {
  const bound = bindings.map((binding) => (binding['roleRef'] as { readonly name: string }).name);
  return roles.filter(({ metadata }) => !bound.includes(metadata.name));
}

function definitionFile({ spec }: UnstructuredObject): string {
  const { group, names } = spec as { readonly group: string; readonly names: { readonly plural: string } };
  return `${group}_${names.plural}`;
}

const BUNDLE = 'operators.operatorframework.io.bundle';
const TEST = 'operators.operatorframework.io.test';

function annotationsOf(name: string, channels: readonly string[]): Record<string, string> {
  return {
    [`${BUNDLE}.mediatype.v1`]: 'registry+v1',
    [`${BUNDLE}.manifests.v1`]: 'manifests/',
    [`${BUNDLE}.metadata.v1`]: 'metadata/',
    [`${BUNDLE}.package.v1`]: name,
    [`${BUNDLE}.channels.v1`]: channels.join(','),
    [`${BUNDLE}.channel.default.v1`]: channels[0] ?? 'stable',
    [`${TEST}.mediatype.v1`]: 'scorecard+v1',
    [`${TEST}.config.v1`]: 'tests/scorecard/',
  };
}

function dockerfile(annotations: Readonly<Record<string, string>>): string {
  const labels = Object.entries(annotations).map(([key, value]) => `LABEL ${key}=${value}\n`);
  return `FROM scratch

${labels.join('')}
COPY bundle/manifests /manifests/
COPY bundle/metadata /metadata/
COPY bundle/tests/scorecard /tests/scorecard/
`;
}

const SCORECARD_IMAGE = 'quay.io/operator-framework/scorecard-test:v1.41.1';

/** Name and suite of the tests that operator-sdk enables in new projects. */
const SCORECARD_TESTS = [
  ['basic-check-spec', 'basic'],
  ['olm-bundle-validation', 'olm'],
  ['olm-crds-have-validation', 'olm'],
  ['olm-crds-have-resources', 'olm'],
  ['olm-spec-descriptors', 'olm'],
  ['olm-status-descriptors', 'olm'],
] as const;

/** The configuration of `operator-sdk scorecard`. */
function scorecardConfiguration(): UnstructuredObject {
  const storage = { spec: { mountPath: {} } };
  const tests = SCORECARD_TESTS.map(([name, suite]) => ({
    entrypoint: ['scorecard-test', name],
    image: SCORECARD_IMAGE,
    labels: { suite, test: `${name}-test` },
    storage,
  }));
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [{ parallel: true, tests }],
    storage,
  };
}
