import type { KubeObject, ReadonlyDeep } from '../../api/kube-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { TerminalError } from '../../base/terminal-error.js';
import { ForbiddenError } from '../../client/api-error.js';
import type { ActingAs } from '../../resource/context.js';
import type { ResourceModel } from '../../resource/model.js';

/** A name of a ServiceAccount: a DNS subdomain, which cannot contain the colons that separate it from its namespace. */
const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The ServiceAccounts as which the objects of a class may act: those of the option `impersonate`, in their own namespace. */
export class ActingAccounts {
  constructor(private readonly model: Pick<ResourceModel, 'className' | 'controller' | 'kind'>) {}

  /**
   * Returns the user name of a ServiceAccount for the API server.
   *
   * @throws OperatorError (E_IMPERSONATION) if the class does not declare it, TerminalError for an invalid name, and for another
   * namespace than that of the object: whoever may write the object would get the rights of all namespaces.
   */
  user(owner: ReadonlyDeep<KubeObject>, { serviceAccount, namespace }: ActingAs): string {
    const { className, controller, kind } = this.model;
    const { impersonate } = controller;
    if (typeof (serviceAccount as unknown) !== 'string' || !NAME.test(serviceAccount))
      throw new TerminalError(`"${String(serviceAccount)}" is not the name of a ServiceAccount`);
    if (impersonate === undefined || (impersonate !== true && !impersonate.includes(serviceAccount))) {
      throw new OperatorError(`${className} does not declare that it acts as the ServiceAccount "${serviceAccount}"`, {
        code: 'E_IMPERSONATION',
        hint: `@Controller({ impersonate: ['${serviceAccount}'] }), or impersonate: true for every ServiceAccount; then run generate-manifests`,
      });
    }
    const own = owner.metadata.namespace;
    if (kind.scope === 'Namespaced' && namespace !== undefined && namespace !== own) {
      const problem = `an object of namespace ${own ?? ''} cannot act as a ServiceAccount of namespace ${namespace}`;
      throw new TerminalError(problem, { hint: `create the ServiceAccount in ${own ?? ''}, and omit namespace in ctx.as` });
    }
    const within = own ?? namespace;
    if (within === undefined) {
      throw new TerminalError(`the namespace of the ServiceAccount "${serviceAccount}" is missing`, {
        hint: `ctx.as({ serviceAccount: '${serviceAccount}', namespace: '…' })`,
      });
    }
    return `system:serviceaccount:${within}:${serviceAccount}`;
  }
}

/** Returns a refusal with the next step: it is about the rights of the ServiceAccount, and not about those of the operator. */
export function refusalAs(user: string, error: ForbiddenError): ForbiddenError {
  if (error.message.includes('cannot impersonate resource')) return error;
  const [, , namespace = '', name = ''] = user.split(':');
  const { status, reason, request, details } = error;
  const hint = `bind a role that allows it to the ServiceAccount ${name} in namespace ${namespace}: the request was made with its rights`;
  return new ForbiddenError(error.message, { status, reason, request, details, hint });
}
