import { computed, signal } from '@preact/signals';

/** A view: the segments of its path and its parameters, from the fragment of the URL. */
export interface Route {
  readonly screen: string;
  /** The second segment: the uid of an object or the id of a run. */
  readonly id: string;
  readonly parameters: URLSearchParams;
}

const fragment = signal('');

/** Follows the URL; to be called after the token has been taken from it. */
export function followUrl(): void {
  fragment.value = location.hash;
  addEventListener('hashchange', () => {
    fragment.value = location.hash;
  });
}

export const route = computed<Route>(() => parseRoute(fragment.value));

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', id = ''] = path.split('/', 2);
  return { screen: screen || 'objects', id: decodeURIComponent(id), parameters: new URLSearchParams(query) };
}

/** Returns the URL of a view; parameters without a value are omitted. */
export function hrefOf(screen: string, id = '', parameters: Readonly<Record<string, string>> = {}): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(present).toString();
  return `#/${screen}${id && `/${encodeURIComponent(id)}`}${query && `?${query}`}`;
}

export function navigate(href: string): void {
  location.hash = href;
}

/** Changes parameters of the current view without an entry in the history, as a filter does with each key. */
export function setParameters(changes: Readonly<Record<string, string>>): void {
  const { screen, id, parameters } = route.value;
  const next = hrefOf(screen, id, { ...Object.fromEntries(parameters), ...changes });
  history.replaceState(null, '', next);
  fragment.value = next;
}
