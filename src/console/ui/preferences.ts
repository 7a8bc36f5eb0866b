import { signal } from '@preact/signals';

const KEY = 'kindwright-console-single-keys';

/** True if letters without a modifier are shortcuts; WCAG 2.1.4 requires that they can be switched off. */
export const hasSingleKeys = signal(localStorage.getItem(KEY) !== 'off');

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
}
