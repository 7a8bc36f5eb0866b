import type { SuiteControlPlane } from '../../e2e/suite-control-plane.js';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

/** Raw requests of a test to a server whose controllers run, in a namespace of its own. */
export class ClusterSuite {
  /** Cluster-wide objects to remove. */
  private readonly made: string[] = [];
  namespace = '';

  private constructor(readonly requests: AdmissionSuite) {}

  static async start(starting?: Promise<SuiteControlPlane>): Promise<ClusterSuite> {
    return new ClusterSuite(await AdmissionSuite.start(starting));
  }

  stop(): Promise<void> {
    return this.requests.stop();
  }

  /** Gives the next test a namespace, and takes the cluster-wide objects of the last one away. */
  async begin(labels: Record<string, string> = {}): Promise<void> {
    await this.clear();
    this.namespace = await this.requests.namespace(labels);
  }

  async clear(): Promise<void> {
    for (const path of this.made.splice(0)) await this.requests.send('DELETE', path);
  }

  /** The path of a namespaced resource, `pods` or `apps/v1/deployments`, or of an object of it. */
  path(resource: string, name = ''): string {
    const [plural, version, group] = resource.split('/').reverse();
    const root = group === undefined ? `/api/${version ?? 'v1'}` : `/apis/${group}/${version ?? ''}`;
    return `${root}/namespaces/${this.namespace}/${plural ?? ''}${name === '' ? '' : `/${name}`}`;
  }

  create(resource: string, kind: string, name: string, rest: object = {}, metadata: object = {}): Promise<Json> {
    const apiVersion = resource.includes('/') ? resource.slice(0, resource.lastIndexOf('/')) : 'v1';
    return this.requests.must('POST', this.path(resource), {
      apiVersion,
      kind,
      metadata: { name, ...metadata },
      ...rest,
    });
  }

  /** Creates a cluster-scoped object, which is deleted before the next test. */
  async createGlobal(root: string, kind: string, name: string, rest: object, metadata: object = {}): Promise<Json> {
    const apiVersion = root.replace(/^\/apis?\//, '').replace(/\/[^/]*$/, '');
    const object = await this.requests.must('POST', root, {
      apiVersion,
      kind,
      metadata: { name, ...metadata },
      ...rest,
    });
    this.made.push(`${root}/${name}`);
    return object;
  }

  /** Makes a PriorityClass of a name that is the test's own, and waits until the server lets pods have it. */
  async createPriorityClass(prefix: string, rest: object): Promise<string> {
    const name = `${prefix}-${this.namespace}`;
    await this.createGlobal('/apis/scheduling.k8s.io/v1/priorityclasses', 'PriorityClass', name, rest);
    const spec = { containers: [{ name: 'c', image: 'i' }], priorityClassName: name };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    await this.requests.until(
      () => this.requests.send('POST', `${this.path('pods')}?dryRun=All`, pod),
      ({ code }) => code === 201,
    );
    return name;
  }

  get(path: string): Promise<Reply> {
    return this.requests.send('GET', path);
  }

  patch(path: string, body: object): Promise<Json> {
    return this.requests.must('PATCH', path, body, 'application/merge-patch+json');
  }

  /** The object of a path, once it is as wanted. */
  async once(path: string, isWanted: (object: Json) => boolean): Promise<Json> {
    const { body } = await this.requests.until(
      () => this.get(path),
      (reply) => isWanted(reply.body),
    );
    return body;
  }

  /** Until the path leads nowhere. */
  async gone(path: string): Promise<void> {
    await this.requests.until(
      () => this.get(path),
      ({ code }) => code === 404,
    );
  }

  /** An event about an object, once there is one. */
  async event(name: string, reason: string, namespace = this.namespace): Promise<Json> {
    const query = encodeURIComponent(`involvedObject.name=${name},reason=${reason}`);
    const list = await this.once(
      `/api/v1/namespaces/${namespace}/events?fieldSelector=${query}`,
      (found) => items(found).length > 0,
    );
    const [event] = items(list);
    return event!;
  }

  /** The events about objects with this prefix in their name, once there are as many. */
  async messages(prefix: string, reason: string, count = 1): Promise<string[]> {
    const told = (list: Json): Json[] =>
      items(list).filter((event) => text(event.involvedObject?.name).startsWith(prefix));
    const query = encodeURIComponent(`reason=${reason}`);
    const path = `${this.path('events')}?fieldSelector=${query}`;
    return told(await this.once(path, (list) => told(list).length >= count)).map(({ message }) => text(message));
  }
}

export const items = ({ items: all }: Json): Json[] => (all ?? []) as unknown as Json[];
export const phaseOf = ({ status }: Json): string => text(status?.phase);
/** The condition of a type, if there is one. */
export const conditionOf = ({ status }: Json, type: string): Json | undefined =>
  ((status?.conditions ?? []) as unknown as Json[]).find((condition) => text(condition.type) === type);
