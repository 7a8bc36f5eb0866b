import type { ComponentChildren } from 'preact';
import { ConsoleApiError } from '../api.js';
import { Icon } from './icon.js';

/** A place without content, and why. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  );
}

/** A failed request. */
export function Failure({ error }: { readonly error: Error }) {
  const { hint } = ((error instanceof ConsoleApiError && error.body) || {}) as { readonly hint?: string };
  return (
    <p class="note note-bad" role="alert">
      <Icon name="warn" />
      <span>
        {error instanceof ConsoleApiError ? error.message : 'The operator does not answer.'}
        {hint && ` ${hint}`}
      </span>
    </p>
  );
}

/** A placeholder for content that is being loaded, or the error of its request. */
export function Pending({ error, what }: { readonly error: Error | undefined; readonly what: string }) {
  return error ? <Failure error={error} /> : <Empty title={`Loading ${what} …`} />;
}
