import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { Operator } from '../operator.js';
import { yamlFile, type GeneratedFile } from '../output/generated-file.js';
import { metricsService, serviceMonitor } from '../monitoring/metrics-objects.js';
import { operatorManifests, type OperatorManifests } from './operator-manifests.js';

/**
 * A folder for `kubectl apply -f`; its files are numbered so that dependencies come first. The definitions are not in it,
 * so that `kubectl delete -f` of the folder keeps the objects of users.
 */
export function plainLayout(operator: Operator, definitions: readonly UnstructuredObject[]): GeneratedFile[] {
  const { name } = operator;
  const sourceFile = operator.sourceFiles.join(', ');
  const manifests = operatorManifests(operator, definitions);
  const files = {
    '00-namespace': [manifests.namespace],
    '01-service-account': [manifests.serviceAccount],
    '02-roles': manifests.roles,
    '03-role-bindings': manifests.bindings,
    ...deploymentFiles(manifests),
    '09-policies': manifests.policies,
    ...monitoringFiles(manifests),
  };
  return [
    ...(manifests.samples.length > 0 ? [yamlFile(`samples/${name}.yaml`, sourceFile, manifests.samples)] : []),
    ...Object.entries(files)
      .filter(([, objects]) => objects.length > 0)
      .map(([file, objects]) => yamlFile(`${name}/${file}.yaml`, sourceFile, objects)),
  ];
}

/** In a folder of their own, which `kubectl apply -f <operator>/` leaves out: they need the Prometheus operator. */
function monitoringFiles({ operator, monitoring, metricsRoles }: OperatorManifests) {
  if (!monitoring) return {};
  return {
    'monitoring/metrics': [metricsService(operator), serviceMonitor(operator), ...metricsRoles],
    'monitoring/alerts': monitoring.alerts,
    'monitoring/dashboard': [monitoring.dashboard],
  };
}

/** The configurations of webhooks come last: without a running operator, writes of its kinds would fail. */
function deploymentFiles({ deployment, webhooks }: OperatorManifests): Record<string, readonly UnstructuredObject[]> {
  if (!webhooks) return { '05-deployment': [deployment] };
  const { certificates, service, disruptionBudget, configurations } = webhooks;
  return {
    ...(certificates.length > 0 && { '05-certificates': certificates }),
    '06-webhook-service': [service],
    '07-deployment': [deployment, ...(disruptionBudget ? [disruptionBudget] : [])],
    ...(configurations.length > 0 && { '08-webhooks': configurations }),
  };
}
