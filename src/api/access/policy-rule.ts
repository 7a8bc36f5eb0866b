/** API verbs that RBAC knows; the last four are for non-resource paths. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'bind'
  | 'escalate'
  | 'impersonate'
  | 'use'
  | '*'
  | 'head'
  | 'options'
  | 'post'
  | 'put';

/** A PolicyRule of rbac/v1 with required fields: either for resources of groups or for non-resource paths. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: Verb[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}
