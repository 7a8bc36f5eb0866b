/** Verbs of the API that RBAC knows; the last four are for paths that are no resource. */
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

/** rbac/v1 PolicyRule, with what it needs named: resources of groups, or paths that are no resource. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: Verb[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}
