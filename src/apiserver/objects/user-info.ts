/** The authenticated user of a request: user.Info of k8s.io/apiserver. */
export interface UserInfo {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Returns the user as in reviews, webhooks and audit events: UserInfo of authentication.k8s.io. */
export function userInfo({ name, uid, groups, extra }: UserInfo) {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}
