import { signal } from '@preact/signals';
import { hasSingleKeys } from './preferences.js';
import { hrefOf, navigate } from './router.js';

/** The shortcuts, in the order of their list. */
export const SHORTCUTS = [
  ['o', 'Objects', 'objects'],
  ['t', 'Timeline of runs', 'runs'],
  ['q', 'Runtime and queues', 'runtime'],
  ['l', 'Logs', 'logs'],
  ['d', 'Doctor', 'doctor'],
  ['m', 'Metrics', 'metrics'],
] as const;

export const isHelpOpen = signal(false);

/** Handles the shortcuts of all screens; keys that are typed into a field or the editor are not shortcuts. */
export function handleShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.composedPath()[0] as HTMLElement;
    const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key === 'Escape') leave(isTyping ? target : undefined);
    else if (!isTyping && hasSingleKeys.value) handleKey(event);
  });
}

function leave(field: HTMLElement | undefined): void {
  if (field) field.blur();
  else if (!document.querySelector('dialog[open]')) history.back();
}

function handleKey(event: KeyboardEvent): void {
  if (event.key === '?') isHelpOpen.value = true;
  const filter = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (event.key === '/' && filter) {
    event.preventDefault();
    filter.focus();
    filter.select();
  }
  const shortcut = SHORTCUTS.find(([key]) => key === event.key);
  if (shortcut) navigate(hrefOf(shortcut[2]));
}
