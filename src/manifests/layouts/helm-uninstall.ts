import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { finalizedKinds } from '../../resource/kinds/finalized-kinds.js';
import { deletionAccess } from '../access/access.js';
import { commonLabels } from '../labels.js';
import { podTemplate } from './helm-deployment.js';
import type { HelmTemplate } from './helm-template.js';
import type { OperatorManifests } from './operator-manifests.js';

/** The chart deletes the definitions, and with them all objects, which the operator must release while it runs. */
const DELETES_OBJECTS = 'and .Values.crds.install (not .Values.crds.keep)';

/**
 * A hook that deletes the objects with finalizers before `helm uninstall` deletes the operator, and the access that it
 * needs. Empty for an operator without finalizers.
 *
 * Without the hook, Helm would delete the operator first, and the definitions would wait for their objects forever.
 */
export function uninstallTemplate(
  manifests: OperatorManifests,
  template: HelmTemplate,
  placed: (object: UnstructuredObject) => UnstructuredObject,
): Record<string, string> {
  const { operator } = manifests;
  const kinds = finalizedKinds(operator.models);
  if (kinds.length === 0) return {};
  const account = `${operator.name}-delete-objects`;
  const access = deletionAccess(operator, kinds, account).map((object) => hook(object, '-1'));
  const objects = [...access, hook(deletionJob(manifests, template, account), '0')];
  return { 'uninstall-hook': objects.map((object) => template.write(placed(object), DELETES_OBJECTS)).join('') };
}

function hook(object: UnstructuredObject, weight: string): UnstructuredObject {
  const annotations = {
    'helm.sh/hook': 'pre-delete',
    'helm.sh/hook-weight': weight,
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Without a deadline: `helm uninstall --timeout` decides how long to wait. */
function deletionJob(manifests: OperatorManifests, template: HelmTemplate, account: string): UnstructuredObject {
  const { operator } = manifests;
  const { metadata, spec } = podTemplate(manifests, template);
  const { 'control-plane': _, ...labels } = metadata.labels ?? {}; // Services and the Deployment select the other pods
  const { ports: __, livenessProbe: ___, readinessProbe: ____, lifecycle: _____, ...container } = spec.containers[0];
  const namespaces = operator.watchNamespaces.map((namespace) => `--namespace=${namespace}`);
  const args = [...operator.sourceFiles, '--delete-objects', ...namespaces];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: account, namespace: operator.namespace, labels: commonLabels(operator) },
    spec: {
      template: {
        metadata: { ...metadata, labels },
        spec: {
          ...spec,
          serviceAccountName: account,
          restartPolicy: 'OnFailure',
          containers: [{ ...container, args }],
        },
      },
    },
  };
}
