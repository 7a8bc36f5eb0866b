import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson } from './api.js';

/** A response, or the error of its request. The last response stays while it is requested again. */
export interface Loaded<T> {
  readonly data?: T;
  readonly error?: Error;
}

/** Requests `/api/v1/PATH`, and again when `version` changes, at most once in a second. */
export function useJson<T>(path: string, version: unknown = 0): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({});
  const last = useRef({ path: '', atMs: 0 });
  useEffect(() => {
    const abort = new AbortController();
    const isNew = last.current.path !== path;
    const waitMs = isNew ? 0 : Math.max(0, last.current.atMs + 1000 - performance.now());
    const timer = window.setTimeout(() => {
      last.current = { path, atMs: performance.now() };
      getJson<T>(path, abort.signal).then(
        (data) => {
          if (!abort.signal.aborted) setLoaded({ data, path });
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setLoaded((before) => ({ ...(before.path === path ? before : {}), error: error as Error, path }));
        },
      );
    }, waitMs);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [path, version]);
  return loaded.path === path ? loaded : {};
}
