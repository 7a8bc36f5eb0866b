import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { ListRequest, ListWatcher, WatchRequest } from '../../src/cache/list-watcher.js';
import type { WatchEventType } from '../../src/client/watch/watch-decoder.js';
import { toApiError, type ApiError } from '../../src/client/api-error.js';

type Answer = Awaited<ReturnType<ListWatcher['list']>>;

/** A list or a watch that waits for the test to answer it. */
export class ScriptedCall {
  isOpen = true;

  constructor(
    readonly verb: 'list' | 'watch',
    readonly request: Partial<WatchRequest> & Pick<Partial<ListRequest>, 'transform'>,
    private readonly settle: { resolve(answer?: Answer): void; reject(error: unknown): void },
    private readonly onEvent: (type: WatchEventType, object: KubeObject) => void,
  ) {}

  /** Whether this is the check of a silent watch. */
  get isProbe(): boolean {
    return this.verb === 'watch' && this.request.allowWatchBookmarks === false;
  }

  /** Answers a list. */
  answer(resourceVersion: number | '', ...items: KubeObject[]): void {
    try {
      this.settle.resolve({ items: this.page(...items), resourceVersion: String(resourceVersion) });
    } catch (error) {
      this.settle.reject(error);
    }
  }

  /** Passes a page to the list, and returns what the list keeps of it. */
  page(...items: KubeObject[]): KubeObject[] {
    const { transform } = this.request;
    return transform ? items.map(transform) : items;
  }

  accept(): void {
    this.request.onOpen?.();
  }

  send(type: WatchEventType, object: KubeObject): void {
    this.onEvent(type, object);
  }

  bookmark(resourceVersion: number | '', initialEventsEnd?: string): void {
    const annotations = initialEventsEnd && { annotations: { 'k8s.io/initial-events-end': initialEventsEnd } };
    const metadata = { name: '', resourceVersion: String(resourceVersion), ...annotations };
    this.send('BOOKMARK', { apiVersion: 'example.com/v1', kind: 'Widget', metadata });
  }

  /** Streams a complete list. */
  initial(resourceVersion: number, ...objects: KubeObject[]): void {
    for (const object of objects) this.send('ADDED', object);
    this.bookmark(resourceVersion, 'true');
  }

  /** Ends a watch as the server does when its time is up. */
  end(): void {
    this.settle.resolve();
  }

  fail(error: unknown): void {
    this.settle.reject(error);
  }
}

/** Records requests, and responds when the test sends a response. */
export class ScriptedClient implements ListWatcher {
  readonly calls: ScriptedCall[] = [];
  /** Whether the checks of silent watches end immediately, without an event that was missed. */
  endsProbes = false;

  list(_kind: KindRef, request: ListRequest): Promise<Answer> {
    return this.open('list', request, () => undefined) as Promise<Answer>;
  }

  /** The version that the server has; by default newer than any other. */
  version = '999999';
  /** The number of requests for the version. */
  versionReads = 0;

  currentVersion(): Promise<string> {
    this.versionReads += 1;
    return Promise.resolve(this.version);
  }

  async streamWatch(
    _kind: KindRef,
    request: WatchRequest,
    onEvent: (type: WatchEventType, object: KubeObject) => void,
  ): Promise<void> {
    await this.open('watch', request, onEvent);
  }

  get last(): ScriptedCall {
    return this.calls.at(-1)!;
  }

  /** The last call that is not the check of a silent watch. */
  get lastStream(): ScriptedCall {
    return this.calls.findLast(({ isProbe }) => !isProbe)!;
  }

  /** The history without the checks of silent watches. */
  get streams(): string[] {
    return this.history.filter((call) => !call.startsWith('probe'));
  }

  /** `stream` a streamed list, `list` one in pages, `watch@20` a watch from 20, `probe@20` the check of one. */
  get history(): string[] {
    return this.calls.map(({ verb, request, isProbe }) => {
      if (verb === 'list') return 'list';
      if (isProbe) return `probe@${request.resourceVersion ?? ''}`;
      return request.sendInitialEvents ? 'stream' : `watch@${request.resourceVersion ?? ''}`;
    });
  }

  private open(
    verb: 'list' | 'watch',
    request: ListRequest | WatchRequest,
    onEvent: (type: WatchEventType, object: KubeObject) => void,
  ): Promise<Answer | undefined> {
    return new Promise<Answer | undefined>((resolve, reject) => {
      const call = new ScriptedCall(verb, request, { resolve, reject }, onEvent);
      request.signal.addEventListener('abort', () => {
        call.isOpen = false;
        call.fail(request.signal.reason);
      });
      this.calls.push(call);
      if (this.endsProbes && call.isProbe) call.end();
    });
  }
}

/** An error response of the API server. */
export function refusal(code: number, reason = '', message = `refused with ${code}`, causes: object[] = []): ApiError {
  const status = { kind: 'Status', apiVersion: 'v1', code, reason, message, details: { causes } };
  return toApiError(code, status, { method: 'GET', path: '/apis/example.com/v1/widgets' });
}
