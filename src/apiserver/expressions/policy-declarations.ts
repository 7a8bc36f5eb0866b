import {
  AUTHORIZER,
  BOOL,
  DYN,
  INT,
  JSON_PATCH,
  listOf,
  mapOf,
  RESOURCE_CHECK,
  STRING,
  TIMESTAMP,
  type CelType,
} from '../../crd/cel/check/cel-type.js';

/** Variable types by name. */
export type Declarations = Readonly<Record<string, CelType>>;

const struct = (name: string, fields: Readonly<Record<string, CelType>>): CelType => ({
  kind: 'struct',
  name: `kubernetes.${name}`,
  params: [],
  fields: new Map(Object.entries(fields)),
});

const TEXTS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);
const GROUP_VERSION_KIND = struct('GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const GROUP_VERSION_RESOURCE = struct('GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

const REQUEST = struct('AdmissionRequest', {
  kind: GROUP_VERSION_KIND,
  resource: GROUP_VERSION_RESOURCE,
  subResource: STRING,
  requestKind: GROUP_VERSION_KIND,
  requestResource: GROUP_VERSION_RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: struct('UserInfo', { username: STRING, uid: STRING, groups: TEXTS, extra: mapOf(STRING, TEXTS) }),
  dryRun: BOOL,
  options: DYN,
});

const NAMESPACE = struct('Namespace', {
  metadata: struct('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: TEXTS,
  }),
  spec: struct('NamespaceSpec', { finalizers: TEXTS }),
  status: struct('NamespaceStatus', {
    conditions: listOf(
      struct('NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});

const REQUESTED: Declarations = { object: DYN, oldObject: DYN, request: REQUEST, namespaceObject: NAMESPACE };

const AUTHORIZATION: Declarations = { authorizer: AUTHORIZER, 'authorizer.requestResource': RESOURCE_CHECK };

/** Declares the variables of admission conditions and rules: admission/plugin/cel/compile.go. */
export function admissionDeclarations(hasParams: boolean): Declarations {
  return { ...messageDeclarations(hasParams), ...AUTHORIZATION };
}

/** Declares the variables of message expressions. */
export function messageDeclarations(hasParams: boolean): Declarations {
  return hasParams ? { ...REQUESTED, params: DYN } : REQUESTED;
}

/** The additional declarations of mutations. */
export const OF_PATCHES: Declarations = { jsonpatch: JSON_PATCH };

/** Declares a policy's own variables. */
export function declaredVariables(types: ReadonlyMap<string, CelType>): Declarations {
  return { variables: { kind: 'struct', name: 'kubernetes.variables', params: [], fields: types } };
}
