import { stringifyYaml } from '../../base/yaml.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { resourceName } from '../../api/kinds/kind-ref.js';
import { finalizedKinds } from '../../resource/kinds/finalized-kinds.js';
import { serviceAccountName } from '../access/access.js';
import type { Operator } from '../operator.js';
import { generatedHeader, type GeneratedFile } from '../output/generated-file.js';
import { definitionTemplate, helmTemplates } from './helm-objects.js';
import { HelmTemplate } from './helm-template.js';
import type { ResourceModel } from '../../resource/model.js';
import { valuesSchema, valuesYaml } from './helm-values.js';
import { imageParts } from './image-parts.js';
import { operatorManifests, type OperatorManifests } from './operator-manifests.js';

/**
 * A chart of Helm 3: `helm install <operator> <operator>/chart --namespace <namespace> --create-namespace`.
 *
 * With its default values it renders the objects of the plain layout, except the Namespace: the operator runs in the
 * namespace of the release. CRDs are templates because Helm never upgrades those in the folder `crds`.
 * @see https://helm.sh/docs/chart_best_practices/custom_resource_definitions/
 */
export function helmLayout(operator: Operator, definitions: readonly UnstructuredObject[]): GeneratedFile[] {
  const template = new HelmTemplate();
  const manifests = operatorManifests(
    {
      ...operator,
      namespace: template.value('.Release.Namespace | quote'),
      serviceAccount: template.value(`.Values.serviceAccount.name | default "${serviceAccountName(operator)}" | quote`),
    },
    definitions,
    template.value('.Release.Namespace'),
  );
  const header = generatedHeader(operator.sourceFiles.join(', '));
  const templates = {
    ...helmTemplates(manifests, template),
    ...(manifests.definitions.length > 0 && {
      definitions: manifests.definitions.map((definition) => definitionTemplate(definition, template)).join(''),
    }),
  };
  const files = {
    'Chart.yaml': `# ${header}\n${stringifyYaml(chart(manifests))}`,
    'values.yaml': `# ${header}\n${valuesYaml(manifests)}`,
    'values.schema.json': valuesSchema(manifests, header),
    '.helmignore': `# ${header}\n*.orig\n*.swp\n.DS_Store\n.git/\n`,
    ...checks(manifests, header),
    'templates/NOTES.txt': `{{- /* ${header} */ -}}\n${notes(manifests)}`,
    ...Object.fromEntries(
      Object.entries(templates).map(([name, text]) => [`templates/${name}.yaml`, `{{- /* ${header} */ -}}\n${text}`]),
    ),
  };
  return Object.entries(files).map(([path, content]) => ({ path: `${operator.name}/chart/${path}`, content }));
}

function chart({ operator: { name, image, version, models } }: OperatorManifests): object {
  const { newTag = 'latest' } = imageParts(image);
  return {
    apiVersion: 'v2',
    name,
    description: `The operator of ${[...new Set(models.map(({ kind }) => kind.kind))].join(', ')}`,
    type: 'application',
    version: version ?? '0.1.0',
    appVersion: newTag === 'latest' ? (version ?? newTag) : newTag,
  };
}

/** A template that renders nothing, and fails for a second release in a cluster with a reason of its own. */
function checks({ operator: { name, namespace }, roles }: OperatorManifests, header: string): Record<string, string> {
  const shared = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && !metadata.name.includes(namespace));
  if (!shared) return {};
  const text = `{{- with lookup "rbac.authorization.k8s.io/v1" "ClusterRole" "" "${shared.metadata.name}" }}
{{- $annotations := .metadata.annotations | default dict }}
{{- $release := get $annotations "meta.helm.sh/release-name" }}
{{- $namespace := get $annotations "meta.helm.sh/release-namespace" }}
{{- if and $release (or (ne $release $.Release.Name) (ne $namespace $.Release.Namespace)) }}
{{- fail (printf "${name} is installed as release %s in namespace %s, and serves the whole cluster: upgrade or uninstall that release" $release $namespace) }}
{{- end }}
{{- end }}
`;
  return { 'templates/checks.yaml': `{{- /* ${header} */ -}}\n${text}` };
}

function notes({ operator: { name, models }, definitions }: OperatorManifests): string {
  const names = definitions.map(({ metadata }) => metadata.name);
  const running = `The operator ${name} runs in namespace {{ .Release.Namespace }}:
  kubectl -n {{ .Release.Namespace }} rollout status deployment/${name}-controller-manager
`;
  const finalized = `${finalizerNotes(models)}${foreignFinalizerNotes(models)}`;
  if (names.length === 0) return `${running}${finalized}`;
  return `${running}${finalized}${conversionNotes(definitions)}{{- if .Values.crds.keep }}
helm uninstall keeps ${names.join(', ')} and all their objects; to delete these too:
  kubectl delete crd ${names.join(' ')}
To install the chart again under another name or in another namespace, pass --take-ownership to helm install.
{{- end }}
`;
}

/** Only a running operator removes its finalizers. */
function finalizerNotes(models: readonly ResourceModel[]): string {
  const kinds = finalizedKinds(models);
  if (kinds.length === 0) return '';
  const names = kinds.map(resourceName);
  const commands = kinds.map(
    (kind) => `  kubectl delete ${resourceName(kind)} --all${kind.scope === 'Namespaced' ? ' --all-namespaces' : ''}\n`,
  );
  return `{{- if and .Values.crds.install (not .Values.crds.keep) }}
helm uninstall first deletes all objects of ${names.join(', ')}, and waits until the operator has removed their finalizers.
{{- else }}
Objects of ${names.join(', ')} have finalizers of the operator. After helm uninstall they cannot be deleted until it is installed
again. To delete them before, while it runs:
${commands.join('')}{{- end }}
`;
}

/** Objects of other kinds are kept in any case. */
function foreignFinalizerNotes(models: readonly ResourceModel[]): string {
  const foreign = models.filter(({ definesKind, finalizers }) => !definesKind && finalizers.length > 0);
  return foreign
    .map(
      ({ kind, finalizers }) =>
        `After helm uninstall, objects of ${resourceName(kind)} keep the finalizers ${finalizers.map(({ name }) => name).join(', ')}, and cannot be deleted until these are removed.\n`,
    )
    .join('');
}

/** A kept definition still names the deleted Service, so that no namespace with its objects can be deleted. */
function conversionNotes(definitions: readonly UnstructuredObject[]): string {
  const names = definitions.filter(isConverted).map(({ metadata }) => metadata.name);
  if (names.length === 0) return '';
  return `{{- if .Values.crds.keep }}
After helm uninstall, objects of ${names.join(', ')} cannot be listed, and their namespaces not deleted, until
the conversion is removed; run in the operator's project:
  npx kindwright undeploy --namespace {{ .Release.Namespace }}
{{- end }}
`;
}

function isConverted({ spec }: UnstructuredObject): boolean {
  return (spec as { readonly conversion?: { readonly strategy: string } }).conversion?.strategy === 'Webhook';
}
