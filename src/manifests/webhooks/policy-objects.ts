import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { ResourceModel } from '../../resource/model.js';
import type { MutatingPolicy, PolicyModel, ValidatingPolicy } from '../../resource/webhooks/policy-model.js';
import { excludedNamespaces, namespaceSelector } from './namespace-selector.js';

/** The options that all policies of an installation share. */
export interface PolicyObjectOptions {
  readonly labels: Readonly<Record<string, string>>;
  /** The only namespaces in which the policies apply; empty for all. */
  readonly namespaces?: readonly string[];
  /** The namespace of the operator, in which policies on kinds that are defined elsewhere do not apply. */
  readonly ownNamespace?: string;
}

/** The policies of classes, each followed by its binding. */
export function policyObjects(models: readonly ResourceModel[], options: PolicyObjectOptions): UnstructuredObject[] {
  return models.flatMap(({ policies, definesKind }) => {
    const excluded = definesKind ? [] : excludedNamespaces(options.ownNamespace);
    return policies.flatMap((policy) => policyAndBinding(policy, excluded, options));
  });
}

function policyAndBinding(
  policy: PolicyModel,
  excluded: readonly string[],
  { labels, namespaces = [], ownNamespace }: PolicyObjectOptions,
): UnstructuredObject[] {
  // Installations for several namespaces must not overwrite each other's policies.
  const name = namespaces.length > 0 && ownNamespace !== undefined ? `${policy.name}.${ownNamespace}` : policy.name;
  const { rules, failurePolicy, matchConditions, objectSelector } = policy;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const kind = `${policy.type}AdmissionPolicy`;
  const metadata = { name, labels: { ...labels } };
  return [
    {
      apiVersion,
      kind,
      metadata,
      spec: {
        failurePolicy,
        matchConstraints: {
          matchPolicy: 'Equivalent',
          resourceRules: rules,
          ...namespaceSelector(policy, namespaces, excluded),
          ...(objectSelector && { objectSelector }),
        },
        ...(matchConditions.length > 0 && { matchConditions }),
        ...(policy.type === 'Validating' ? validations(policy) : mutations(policy)),
      },
    },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      spec: { policyName: name, ...(policy.type === 'Validating' && { validationActions: policy.actions }) },
    },
  ];
}

function validations({ validations: rules }: ValidatingPolicy) {
  return {
    validations: rules.map(({ expression, message, messageExpression, reason }) => ({
      expression,
      ...(message !== undefined && { message }),
      ...(messageExpression !== undefined && { messageExpression }),
      ...(reason !== undefined && { reason }),
    })),
  };
}

function mutations({ apply, patch, reinvocationPolicy }: MutatingPolicy) {
  const mutation =
    apply === undefined
      ? { patchType: 'JSONPatch', jsonPatch: { expression: patch } }
      : { patchType: 'ApplyConfiguration', applyConfiguration: { expression: apply } };
  return { mutations: [mutation], reinvocationPolicy };
}
