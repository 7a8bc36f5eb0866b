const KEY = 'kindwright-console-token';

/** Returns the token of this tab; it moves from the fragment of the URL, where it must not stay, to the session's storage. */
export function takeToken(): string | undefined {
  const [, token] = /^#t=([^&]+)/.exec(location.hash) ?? [];
  if (token !== undefined) {
    const [, route = ''] = /&(.*)$/.exec(location.hash) ?? [];
    sessionStorage.setItem(KEY, decodeURIComponent(token));
    history.replaceState(null, '', route ? `${location.pathname}#${route}` : location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}
