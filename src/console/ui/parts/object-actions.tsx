import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Accepted, ObjectRow, WriteOutcome } from '../../wire.js';
import { postJson } from '../api.js';
import { announce } from '../announcement.js';
import { hrefOf } from '../router.js';
import { isDevelopment } from '../store.js';
import { Icon } from './icon.js';
import { kindName, objectName } from './references.js';

interface ObjectActionsProps {
  readonly row: ObjectRow;
  /** The controllers that reconcile the object. */
  readonly controllers: readonly string[];
  readonly isPartial: boolean;
}

/** The last answer to an action, by the uid of its object. */
const answer = signal<{ readonly uid: string; readonly text: string; readonly isError: boolean } | undefined>(
  undefined,
);

/** The actions on an object, in development mode only. */
export function ObjectActions({ row, controllers, isPartial }: ObjectActionsProps) {
  if (!isDevelopment.value) return null;
  const shown = answer.value?.uid === row.uid ? answer.value : undefined;
  return (
    <div class="actions">
      {shown && <span class={shown.isError ? 'state-bad action-answer' : 'state-ok action-answer'}>{shown.text}</span>}
      {controllers.length > 0 && (
        <button
          type="button"
          onClick={() =>
            void perform(row, 'Reconcile requested', () =>
              postJson<Accepted>(`reconcile/${encodeURIComponent(row.uid)}`, {}),
            )
          }
        >
          <Icon name="play" />
          Reconcile now
        </button>
      )}
      {!isPartial && (
        <a class="button" href={hrefOf('edit', row.uid)}>
          <Icon name="edit" />
          Edit
        </a>
      )}
      <DeleteButton row={row} />
    </div>
  );
}

function DeleteButton({ row }: { readonly row: ObjectRow }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        <Icon name="trash" />
        Delete …
      </button>
      <dialog ref={dialog} aria-labelledby="delete-title">
        <h2 id="delete-title">
          Delete {kindName(row.kind)} {objectName(row)}?
        </h2>
        <p>The API server deletes it, and the garbage collector deletes the objects that it owns.</p>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              void perform(row, 'Deletion requested', async () => {
                const { ok, diagnostics } = await postJson<WriteOutcome>('delete', { uid: row.uid });
                if (!ok) throw new Error(diagnostics.map(({ message }) => message).join(' '));
              });
            }}
          >
            Delete
          </button>
        </div>
      </dialog>
    </>
  );
}

async function perform({ uid }: ObjectRow, text: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
    answer.value = { uid, text, isError: false };
  } catch (error) {
    answer.value = { uid, text: (error as Error).message, isError: true };
  }
  announce(answer.value.text);
}
