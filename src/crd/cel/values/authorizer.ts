import { CelObject } from './cel-value.js';

/** An access check of an authorizer: for a non-resource path or for a resource. */
export interface AccessQuestion {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The permissions of a user. */
export interface UserAccess {
  allows(question: AccessQuestion): boolean;
  /** Returns the permissions of a service account. */
  of(namespace: string, serviceAccount: string): UserAccess;
}

abstract class AuthorizerObject extends CelObject {
  equals(other: CelObject): boolean {
    return other === this;
  }
}

/** The `authorizer` variable of admission expressions. */
export class CelAuthorizer extends AuthorizerObject {
  readonly typeName = 'kubernetes.authorization.Authorizer';

  constructor(readonly access: UserAccess) {
    super();
  }
}

/** An authorizer check under construction, built by calls of `group`, `resource` and so on. */
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

/** The decision of an authorizer. */
export class CelDecision extends AuthorizerObject {
  readonly typeName = 'kubernetes.authorization.Decision';

  constructor(readonly isAllowed: boolean) {
    super();
  }
}
