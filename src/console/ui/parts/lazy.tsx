import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty } from './message.js';

/** Returns a component that loads its code when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => preact.JSX.Element {
  let loading: Promise<ComponentType<P>> | undefined;
  return function Lazy(props: P) {
    const [loaded, setLoaded] = useState<{ readonly component?: ComponentType<P>; readonly isFailed?: true }>({});
    useEffect(() => {
      loading ??= load();
      loading.then(
        (component) => {
          setLoaded({ component });
        },
        () => {
          loading = undefined;
          setLoaded({ isFailed: true });
        },
      );
    }, []);
    const { component: Component, isFailed } = loaded;
    if (isFailed)
      return (
        <Empty title="This part of the page cannot be loaded">
          Reload the page; the operator may have been updated.
        </Empty>
      );
    return Component ? <Component {...props} /> : <Empty title="Loading …" />;
  };
}
