import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { consoleRoles, metricsRoles, namespaceObject, roleBindings, roles, serviceAccount } from '../access/access.js';
import { controllerDeployment } from '../deployment.js';
import { alertRules } from '../monitoring/alert-rules.js';
import { dashboardConfigMap } from '../monitoring/dashboard.js';
import type { Operator } from '../operator.js';
import { sampleObjects } from '../samples.js';
import { commonLabels } from '../labels.js';
import { policyObjects } from '../webhooks/policy-objects.js';
import { webhookObjects, withConversion, type WebhookObjects } from '../webhooks/webhook-objects.js';

/** All objects of an operator, which a layout distributes over files. */
export interface OperatorManifests {
  readonly operator: Operator;
  readonly namespace: UnstructuredObject;
  readonly serviceAccount: UnstructuredObject;
  /** The operator's own roles, and those for users. */
  readonly roles: readonly UnstructuredObject[];
  readonly bindings: readonly UnstructuredObject[];
  /** Required only for metrics with authorization. */
  readonly metricsRoles: readonly UnstructuredObject[];
  /** Required only for a console in the cluster; empty if they are among `roles`. */
  readonly consoleRoles: readonly UnstructuredObject[];
  readonly definitions: readonly UnstructuredObject[];
  readonly deployment: UnstructuredObject;
  /** Undefined for an operator without webhooks. */
  readonly webhooks: WebhookObjects | undefined;
  /** Admission policies and their bindings, which apply whether or not the operator runs. */
  readonly policies: readonly UnstructuredObject[];
  /** Undefined unless they are wanted. */
  readonly monitoring: MonitoringObjects | undefined;
  readonly samples: readonly UnstructuredObject[];
}

/** The objects that Prometheus and Grafana load. */
export interface MonitoringObjects {
  readonly alerts: readonly UnstructuredObject[];
  readonly dashboard: UnstructuredObject;
}

/** The namespace of the monitored series is by default that of the operator. */
export function operatorManifests(
  operator: Operator,
  definitions: readonly UnstructuredObject[],
  monitoredNamespace = operator.namespace,
): OperatorManifests {
  return {
    operator,
    namespace: namespaceObject(operator),
    serviceAccount: serviceAccount(operator),
    roles: roles(operator),
    bindings: roleBindings(operator),
    metricsRoles: metricsRoles(operator),
    consoleRoles: consoleRoles(operator),
    definitions: definitions.map((definition) => withConversion(definition, operator)),
    deployment: controllerDeployment(operator),
    webhooks: webhookObjects(operator),
    policies: policyObjects(operator.models, {
      labels: commonLabels(operator),
      namespaces: operator.watchNamespaces,
      ownNamespace: operator.namespace,
    }),
    monitoring: operator.monitoring
      ? { alerts: alertRules(operator, monitoredNamespace), dashboard: dashboardConfigMap(operator) }
      : undefined,
    samples: operator.models.flatMap(sampleObjects),
  };
}
