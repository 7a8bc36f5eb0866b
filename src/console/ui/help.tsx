import { useEffect, useRef } from 'preact/hooks';
import { SHORTCUTS, isHelpOpen } from './keyboard.js';
import { hasSingleKeys, setSingleKeys } from './preferences.js';

/** The dialog with the list of keys. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {SHORTCUTS.map(([key, title]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Filter</dd>
        </div>
        <div>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd> or arrows
          </dt>
          <dd>Move in a list or tree</dd>
        </div>
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>Open</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Back</dd>
        </div>
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
          }}
        />
        Letters are shortcuts
      </label>
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
