import { CelObject } from './cel-value.js';

/** What a rule may ask an authorizer: of a path that is no resource, or of a resource. */
export interface AccessQuestion {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a user may do. */
export interface UserAccess {
  allows(question: AccessQuestion): boolean;
  /** The same for a service account. */
  of(namespace: string, serviceAccount: string): UserAccess;
}

abstract class AuthorizerObject extends CelObject {
  equals(other: CelObject): boolean {
    return other === this;
  }
}

/** `authorizer` in the expressions of admission. */
export class CelAuthorizer extends AuthorizerObject {
  readonly typeName = 'kubernetes.authorization.Authorizer';

  constructor(readonly access: UserAccess) {
    super();
  }
}

/** A question to an authorizer as far as it is put: what `group`, `resource` and so on have said. */
export class CelCheck extends AuthorizerObject {
  readonly typeName: string;

  constructor(
    kind: 'GroupCheck' | 'PathCheck' | 'ResourceCheck',
    readonly access: UserAccess,
    readonly question: Partial<AccessQuestion>,
  ) {
    super();
    this.typeName = `kubernetes.authorization.${kind}`;
  }

  with(more: Partial<AccessQuestion>): CelCheck {
    return new CelCheck('ResourceCheck', this.access, { ...this.question, ...more });
  }

  ask(verb: string): CelDecision {
    const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '' };
    return new CelDecision(this.access.allows({ ...nothing, ...this.question, verb }));
  }
}

/** What an authorizer answered. */
export class CelDecision extends AuthorizerObject {
  readonly typeName = 'kubernetes.authorization.Decision';

  constructor(readonly isAllowed: boolean) {
    super();
  }
}
