import { tooLargeResourceVersion } from '../errors/status-error.js';
import type { Registry } from '../registry/registry.js';

/** As long as the real server's watch cache waits for what etcd is still to tell it. */
const PATIENCE_MS = 3000;

/** Waits for a revision that is still to come; a client that names one it cannot know is told to come back. */
export async function untilRevision({ store, clock }: Registry, wanted: number): Promise<void> {
  if (wanted <= store.revision) return;
  await new Promise<void>((resolve, reject) => {
    const unsubscribe = store.onWrite(() => {
      if (store.revision < wanted) return;
      unsubscribe();
      giveUp();
      resolve();
    });
    const giveUp = clock.schedule(PATIENCE_MS, () => {
      unsubscribe();
      reject(tooLargeResourceVersion(wanted, store.revision));
    });
  });
}
