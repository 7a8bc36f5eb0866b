import type { Operator } from '../operator.js';
import type { WrittenRule } from './merged-rules.js';
import type { OperatorRole } from './operator-roles.js';

const FLAG = '--console-bind-address';

/** Serves the console on loopback of the pod, which only `kindwright console` reaches, through the API server. */
export const CONSOLE_ARGUMENT = `${FLAG}=127.0.0.1:8444`;

/** Permissions of `--metrics-auth` and `--console-bind-address`: reviews of tokens and of access. */
export const REVIEW_RULES: readonly WrittenRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** Returns true if the arguments of the settings enable the console. */
export function servesConsole({ deployment: { args = [] } }: Operator): boolean {
  return args.some((arg) => arg === FLAG || arg.startsWith(`${FLAG}=`));
}

/** The operator's own role for the console: reviews of its users, and the Events of objects. */
export function consoleRole({ name }: Operator): OperatorRole {
  const events: WrittenRule = { apiGroups: [''], resources: ['events'], verbs: ['list'] };
  return { name: `${name}-console-role`, namespace: undefined, rules: [...REVIEW_RULES, events] };
}

/**
 * Roles for users of the console: to read it, and to connect to the pods of the operator. Which objects it shows depends on
 * their permissions to list objects.
 */
export function consoleUserRoles({ name, namespace }: Operator): OperatorRole[] {
  return [
    {
      name: `${name}-console-reader-role`,
      namespace: undefined,
      rules: [{ nonResourceURLs: ['/console'], verbs: ['get'] }],
    },
    {
      name: `${name}-console-connect-role`,
      namespace,
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
        { apiGroups: [''], resources: ['pods/portforward'], verbs: ['create', 'get'] },
      ],
    },
  ];
}
