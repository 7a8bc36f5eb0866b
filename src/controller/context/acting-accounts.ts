import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
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
  user(owner: ReadonlyDeep<KubeObject>, account: ActingAs): string {
    const name: unknown = account.serviceAccount;
    if (typeof name !== 'string' || !NAME.test(name))
      throw new TerminalError(`"${String(name)}" is not the name of a ServiceAccount`);
    this.assertDeclared(name);
    return `system:serviceaccount:${this.namespaceFor(owner, account)}:${name}`;
  }

  private assertDeclared(name: string): void {
    const { className, controller } = this.model;
    const { impersonate = [] } = controller;
    if (impersonate === true || impersonate.includes(name)) return;
    throw new OperatorError(`${className} does not declare that it acts as the ServiceAccount "${name}"`, {
      code: 'E_IMPERSONATION',
      hint: `@Controller({ impersonate: ['${name}'] }), or impersonate: true for every ServiceAccount; then run generate-manifests`,
    });
  }

  private namespaceFor(owner: ReadonlyDeep<KubeObject>, { serviceAccount, namespace }: ActingAs): string {
    const own = this.model.kind.scope === 'Namespaced' ? owner.metadata.namespace : undefined;
    if (own !== undefined && namespace !== undefined && namespace !== own) {
      const problem = `an object of namespace ${own} cannot act as a ServiceAccount of namespace ${namespace}`;
      throw new TerminalError(problem, { hint: `create the ServiceAccount in ${own}, and omit namespace in ctx.as` });
    }
    const found = own ?? namespace;
    if (found !== undefined && NAME.test(found)) return found;
    throw new TerminalError(`the namespace of the ServiceAccount "${serviceAccount}" is missing`, {
      hint: `ctx.as({ serviceAccount: '${serviceAccount}', namespace: '…' })`,
    });
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
