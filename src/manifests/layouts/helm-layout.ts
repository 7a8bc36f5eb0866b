import { stringifyYaml } from '../../base/yaml.js';
import type { GeneratedFile } from '../output/generated-file.js';
import { definitionTemplate, helmTemplates } from './helm-objects.js';
import { HelmTemplate } from './helm-template.js';
import { valuesSchema, valuesYaml } from './helm-values.js';
import type { OperatorManifests } from './operator-manifests.js';

/**
 * A chart of Helm 3: `helm install <operator> <operator>/chart`.
 *
 * With its default values it makes what the plain layout holds. The definitions are templates rather than in the folder
 * `crds`, which Helm never upgrades.
 * @see https://helm.sh/docs/chart_best_practices/custom_resource_definitions/
 */
export function helmLayout(manifests: OperatorManifests): GeneratedFile[] {
  const { operator, definitions } = manifests;
  const template = new HelmTemplate();
  const resources = resourcesOf(manifests);
  const header = `Written by generate-manifests from ${operator.sourceFile}; edits are lost.`;
  const templates = {
    ...helmTemplates(manifests, template),
    definitions: definitions.map((definition) => definitionTemplate(definition, template)).join(''),
  };
  const files = {
    'Chart.yaml': `# ${header}\n${stringifyYaml(chart(manifests))}`,
    'values.yaml': `# ${header}\n${valuesYaml(operator, resources)}`,
    'values.schema.json': valuesSchema(operator, resources),
    '.helmignore': '*.orig\n*.swp\n.DS_Store\n.git/\n',
    'templates/NOTES.txt': notes(manifests),
    ...Object.fromEntries(
      Object.entries(templates).map(([name, text]) => [`templates/${name}.yaml`, `{{- /* ${header} */ -}}\n${text}`]),
    ),
  };
  return Object.entries(files).map(([path, content]) => ({ path: `${operator.name}/chart/${path}`, content }));
}

function chart({ operator: { name, image, models } }: OperatorManifests): object {
  return {
    apiVersion: 'v2',
    name,
    description: `The operator of ${[...new Set(models.map(({ kind }) => kind.kind))].join(', ')}`,
    type: 'application',
    version: '0.1.0',
    appVersion: /:([^:/@]+)$/.exec(image)?.[1] ?? 'latest',
  };
}

function resourcesOf({ deployment }: OperatorManifests): unknown {
  const { template } = deployment['spec'] as { template: { spec: { containers: readonly { resources: unknown }[] } } };
  return template.spec.containers[0]?.resources;
}

function notes({ operator: { name }, definitions }: OperatorManifests): string {
  const kinds = definitions.map(({ metadata }) => metadata.name).join(', ');
  return `The operator ${name} runs in namespace {{ .Values.namespace }}:
  kubectl -n {{ .Values.namespace }} rollout status deployment/${name}-controller-manager
{{- if .Values.crds.keep }}
helm uninstall leaves ${kinds} and all objects of them; to delete these too:
  kubectl delete crd ${definitions.map(({ metadata }) => metadata.name).join(' ')}
{{- end }}
`;
}
