import { signal } from '@preact/signals';

/** The text of the live region, which screen readers read when it changes. */
export const announcement = signal('');

const INTERVAL_MS = 5000;
let lastMs = -INTERVAL_MS;
let timer = 0;

/** Announces a text, at most one each 5 s; of several, the last. */
export function announce(text: string): void {
  window.clearTimeout(timer);
  const waitMs = Math.max(0, lastMs + INTERVAL_MS - performance.now());
  timer = window.setTimeout(() => {
    lastMs = performance.now();
    announcement.value = text;
  }, waitMs);
}
