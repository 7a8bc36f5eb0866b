import { tooLargeResourceVersion } from '../../errors/status-error.js';
import type { Registry } from '../../registry/registry.js';

/** The time that the real server's watch cache waits for etcd. */
const WAIT_TIMEOUT_MS = 3000;

/**
 * Waits until the store reaches a revision.
 *
 * @throws StatusError "Too large resource version" after 3 s
 */
export async function waitForRevision({ store, clock }: Registry, wanted: number): Promise<void> {
  if (wanted <= store.revision) return;
  await new Promise<void>((resolve, reject) => {
    const unsubscribe = store.onWrite(() => {
      if (store.revision < wanted) return;
      unsubscribe();
      giveUp();
      resolve();
    });
    const giveUp = clock.schedule(WAIT_TIMEOUT_MS, () => {
      unsubscribe();
      reject(tooLargeResourceVersion(wanted, store.revision));
    });
  });
}
