import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { stringifyYaml } from '../../base/yaml.js';
import { CONSOLE_ARGUMENT } from '../access/console-roles.js';
import { generatedHeader, yamlFile, type GeneratedFile } from '../output/generated-file.js';
import type { Operator } from '../operator.js';
import { imageParts } from './image-parts.js';
import { METRICS_PORT, metricsNetworkPolicy, metricsService, serviceMonitor } from '../monitoring/metrics-objects.js';
import { operatorManifests, type OperatorManifests } from './operator-manifests.js';
import { webhookObjectNames } from '../webhooks/injection-targets.js';
import { hasWebhooks, type WebhookObjects } from '../webhooks/webhook-objects.js';
import { certificateReplacements, REFERENCE_CONFIGURATION } from './kustomize-references.js';

/** The image that the kustomization of `manager` replaces. */
const IMAGE = 'controller';
const REFERENCES = 'kustomizeconfig';
const REPLACEMENTS = 'replacements';

/**
 * The folders that kubebuilder and operator-sdk use: `kubectl apply -k <operator>/config/default`.
 *
 * It builds the objects of the plain layout. `default/kustomization.yaml` is created once and never overwritten: the user
 * uncomments lines of it for metrics, their ServiceMonitor and NetworkPolicy, and the console; the other files are regenerated.
 */
export function kustomizeLayout(operator: Operator, definitions: readonly UnstructuredObject[]): GeneratedFile[] {
  const { name } = operator;
  const sourceFile = operator.sourceFiles.join(', ');
  const manifests = operatorManifests(operator, definitions);
  const folders = {
    crd: crdFolder(manifests),
    rbac: rbacFolder(manifests),
    manager: managerFolder(manifests),
    ...(manifests.webhooks && { webhook: webhookFolder(manifests.webhooks) }),
    ...(manifests.policies.length > 0 && { policy: { policies: manifests.policies } }),
    samples: samplesFolder(manifests),
    prometheus: { monitor: [serviceMonitor(manifests.operator)] },
    metrics: metricsFolder(manifests),
    ...(manifests.consoleRoles.length > 0 && { console: filesByName(manifests.consoleRoles, operator) }),
    ...(manifests.monitoring && {
      monitoring: { alerts: manifests.monitoring.alerts, dashboard: [manifests.monitoring.dashboard] },
    }),
    'network-policy': { 'allow-metrics-traffic': [metricsNetworkPolicy(manifests.operator)] },
  };
  const place = (path: string): string => `${name}/config/${path}.yaml`;
  return [
    ...Object.entries(folders).flatMap(([folder, files]) => [
      ...Object.entries(files).map(([file, objects]) => yamlFile(place(`${folder}/${file}`), sourceFile, objects)),
      text(place(`${folder}/kustomization`), sourceFile, kustomization(folder, Object.keys(files), manifests)),
    ]),
    text(place(`manager/${REFERENCES}`), sourceFile, stringifyYaml(REFERENCE_CONFIGURATION)),
    text(place('default/manager_metrics_patch'), sourceFile, stringifyYaml(METRICS_PATCH)),
    text(place('default/manager_console_patch'), sourceFile, stringifyYaml(CONSOLE_PATCH)),
    text(place(`default/${REPLACEMENTS}`), sourceFile, stringifyYaml(certificateReplacements(operator))),
    { path: place('default/kustomization'), content: defaultKustomization(operator), isCreatedOnce: true },
  ];
}

type Folder = Readonly<Record<string, readonly UnstructuredObject[]>>;

function crdFolder({ definitions }: OperatorManifests): Folder {
  return Object.fromEntries(
    definitions.map((definition) => {
      const { group, names } = definition['spec'] as {
        readonly group: string;
        readonly names: { readonly plural: string };
      };
      return [`bases/${group}_${names.plural}`, [definition]];
    }),
  );
}

/** The objects that metrics require, in a folder that kubebuilder does not have, so that one line enables them. */
function metricsFolder({ operator, metricsRoles }: OperatorManifests): Folder {
  return { metrics_service: [metricsService(operator)], ...filesByName(metricsRoles, operator) };
}

/** A file for each role and binding, named without the prefix of the operator's name. */
function rbacFolder({ operator, serviceAccount, roles, bindings }: OperatorManifests): Folder {
  return { service_account: [serviceAccount], ...filesByName([...roles, ...bindings], operator) };
}

function filesByName(objects: readonly UnstructuredObject[], { name }: Operator): Folder {
  const byFile = Map.groupBy(objects, ({ metadata }) => metadata.name.slice(name.length + 1).replaceAll('-', '_'));
  return Object.fromEntries(byFile);
}

function managerFolder({ operator, namespace, deployment }: OperatorManifests): Folder {
  return { manager: [namespace, withNames(withImage(deployment, `${IMAGE}:latest`), operator)] };
}

/** Included by the kustomization of `manager`, because users edit that of `default`. */
function webhookFolder({ certificates, service, disruptionBudget, configurations }: WebhookObjects): Folder {
  return {
    ...(certificates.length > 0 && { certificates }),
    service: [service],
    ...(disruptionBudget && { disruption_budget: [disruptionBudget] }),
    ...(configurations.length > 0 && { manifests: configurations }),
  };
}

function samplesFolder({ operator, samples }: OperatorManifests): Folder {
  return Object.fromEntries(
    operator.models
      .filter(({ definesKind }) => definesKind)
      .map(({ kind }) => [
        `${kind.group}_${kind.version}_${kind.kind.toLowerCase()}`,
        samples.filter((sample) => sample.kind === kind.kind && sample.apiVersion === `${kind.group}/${kind.version}`),
      ]),
  );
}

function kustomization(
  folder: string,
  files: readonly string[],
  { operator, webhooks, policies }: OperatorManifests,
): string {
  const resources = files.map((file) => `${file}.yaml`);
  if (folder !== 'manager') return stringifyYaml({ ...HEADER, resources });
  const all = [...resources, ...(webhooks ? ['../webhook'] : []), ...(policies.length > 0 ? ['../policy'] : [])];
  const images = [{ name: IMAGE, ...imageParts(operator.image) }];
  return stringifyYaml({ ...HEADER, resources: all, configurations: [`${REFERENCES}.yaml`], images });
}

/** Independent of the classes, because users edit it: all that depends on them is in the other folders. */
function defaultKustomization({ monitoring }: Operator): string {
  const start = stringifyYaml({ ...HEADER, resources: ['../crd', '../rbac', '../manager'] });
  return `# Created once by generate-manifests, for you to edit. It is not overwritten; delete it to create it again.
${start}  # To serve metrics over HTTPS on port ${METRICS_PORT} to clients with permission to get /metrics, uncomment this and the
  # patch below. The certificate is self-signed; with --metrics-cert-dir it is one of files, which clients can verify.
  # - ../metrics
  # To have Prometheus scrape them, uncomment this too; it requires the Prometheus operator.
  # - ../prometheus
${monitoring ? MONITORING : ''}  # To permit only namespaces with the label metrics=enabled to scrape them, uncomment this too.
  # - ../network-policy
  # To serve the console to kindwright console, uncomment this and its patch below.
  # - ../console
# patches:
#   - path: manager_metrics_patch.yaml
#     target:
#       kind: Deployment
#   - path: manager_console_patch.yaml
#     target:
#       kind: Deployment
# Names that are part of texts, after a change of namePrefix, nameSuffix or namespace in this file.
replacements:
  - path: ${REPLACEMENTS}.yaml
`;
}

const MONITORING = `  # To load the alerts and the dashboard, uncomment this too.
  # - ../monitoring
`;

const HEADER = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };

const METRICS_PATCH = [
  {
    op: 'add',
    path: '/spec/template/spec/containers/0/args/-',
    value: `--metrics-bind-address=:${METRICS_PORT}`,
  },
  { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: '--metrics-auth' },
  {
    op: 'add',
    path: '/spec/template/spec/containers/0/ports/-',
    value: { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
  },
];

const CONSOLE_PATCH = [{ op: 'add', path: '/spec/template/spec/containers/0/args/-', value: CONSOLE_ARGUMENT }];

interface PodOwner extends UnstructuredObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: Container[] } } };
}

interface Container {
  image: string;
  args: string[];
}

/** Passes the names of the webhook objects to the operator, each as an argument that kustomize renames with its object. */
function withNames(deployment: PodOwner, operator: Operator): UnstructuredObject {
  if (operator.certificates !== 'self' || !hasWebhooks(operator)) return deployment;
  const names = webhookObjectNames(operator).flatMap((name) => ['--webhook-object', name]);
  for (const container of deployment.spec.template.spec.containers) container.args.push(...names);
  return deployment;
}

function withImage(deployment: UnstructuredObject, image: string): PodOwner {
  const copy = deepClone(deployment) as PodOwner;
  for (const container of copy.spec.template.spec.containers) container.image = image;
  return copy;
}

function text(path: string, sourceFile: string, content: string): GeneratedFile {
  return { path, content: `# ${generatedHeader(sourceFile)}\n${content}` };
}
