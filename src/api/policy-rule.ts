/** Verbs of the API that RBAC knows. */
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
  | '*';

/** rbac/v1 PolicyRule, with what it needs named. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: Verb[];
  resourceNames?: string[];
}
