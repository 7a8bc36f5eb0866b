import type { EmbeddedApiServerOptions } from '../../../src/apiserver/embedded-api-server.js';
import { TestServer, text, type Json, type Reply } from '../api-client.js';

export const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
export const SELECTOR = { matchLabels: { app: 'a' } };

/** A server with its controllers, and the requests of their tests. */
export class ClusterTest {
  private constructor(readonly api: TestServer) {}

  static async start(options: EmbeddedApiServerOptions = {}): Promise<ClusterTest> {
    const api = await TestServer.start({ withoutControllers: false, ...options });
    await api.until('/api/v1/namespaces/default/serviceaccounts/default', ({ code }) => code === 200);
    return new ClusterTest(api);
  }

  stop(): Promise<void> {
    return this.api.stop();
  }

  /** Makes an object in the default namespace; its path. */
  async create(
    groupVersion: string,
    plural: string,
    object: object & { apiVersion: string; kind: string; spec: object; metadata: { name: string } },
  ): Promise<string> {
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    const path = `${root}/namespaces/default/${plural}`;
    const { code, body } = await this.api.send('POST', path, object);
    if (code !== 201) throw new Error(JSON.stringify(body));
    return `${path}/${object.metadata.name}`;
  }

  async pods(): Promise<Json[]> {
    return items(await this.api.send('GET', '/api/v1/namespaces/default/pods'));
  }

  /** The pods, once they are as wanted. */
  async podsOnce(isWanted: (pods: Json[]) => boolean): Promise<Json[]> {
    return items(await this.api.until('/api/v1/namespaces/default/pods', (reply) => isWanted(items(reply))));
  }

  /** The object's status, once it is as wanted. */
  async statusOnce(path: string, isWanted: (status: Readonly<Record<string, unknown>>) => boolean): Promise<Json> {
    return (await this.api.until(path, ({ body }) => isWanted(body.status ?? {}))).body.status!;
  }
}

export const items = ({ body }: Reply): Json[] => body.items as unknown as Json[];
export const nameOf = (object: Json): string => text(object.metadata!.name);
export const phaseOf = (pod: Json): string => text(pod.status!.phase);
/** Types of the conditions that hold, in their order. */
export const holding = (status: Readonly<Record<string, unknown>>): string[] =>
  ((status.conditions ?? []) as { type: string; status: string }[])
    .filter((condition) => condition.status === 'True')
    .map(({ type }) => type);
