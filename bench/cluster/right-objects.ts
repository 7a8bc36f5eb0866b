import { type Client, InformerFactory, type KindLike, type KubeObject, type ReadonlyDeep } from 'kindwright';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Follows the objects of a kind and counts those that are as they should be. */
export class RightObjects {
  private readonly names = new Set<string>();
  private readonly informers: InformerFactory;

  constructor(client: Client, kind: KindLike, isRight: (object: ReadonlyDeep<KubeObject>) => boolean) {
    this.informers = new InformerFactory(client);
    for (const informer of this.informers.informersFor(kind)) {
      informer.addEventHandler(({ type, object }) => {
        const { name } = object.metadata;
        if (type !== 'delete' && isRight(object)) this.names.add(name);
        else this.names.delete(name);
      });
    }
    this.informers.start();
  }

  /** Waits until the objects that exist are known. */
  async synced(signal: AbortSignal): Promise<void> {
    await this.informers.synced(signal);
  }

  async until(count: number, signal: AbortSignal): Promise<void> {
    while (this.names.size < count) await delay(POLL_MS, undefined, { signal });
  }

  async stop(): Promise<void> {
    await this.informers.stop();
  }
}
