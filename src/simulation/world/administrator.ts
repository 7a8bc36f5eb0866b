import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Resource } from '../../apiserver/resources/resource.js';
import type { ResponseHead } from '../../client/http/response-head.js';
import type { Actor, StepRecord } from '../record/history.js';
import { ADMIN_TOKEN } from './cluster-image.js';
import { WorldConnections } from './world-connections.js';
import type { World } from './world.js';

/** An answer of the server to the administrator. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

const HOST = 'Host: 127.0.0.1:6443\r\nUser-Agent: simulation\r\nAccept: application/json\r\n';
const MERGE_PATCH = 'application/merge-patch+json';

/** Writes objects with all permissions, for the user of the operator or for a fault. */
export class Administrator {
  private readonly connections: WorldConnections;

  constructor(
    private readonly world: World,
    actor: Actor,
  ) {
    this.connections = new WorldConnections(world, { owner: world.user, actor: () => actor });
  }

  create(object: KubeObject): Promise<ServerAnswer> {
    const { apiVersion = 'v1', kind = '', metadata } = object;
    const resource = this.world.simulatedServer.api.resources.ofKind(apiVersion, kind);
    if (!resource) return Promise.resolve({ status: 404, body: { message: `${apiVersion} ${kind} is not served` } });
    return this.send('POST', pathOf(resource, metadata.namespace), JSON.stringify(object), 'application/json');
  }

  /** Sends a merge patch for an object by its text; 404 if it does not exist. */
  patch(text: string, patch: object, subresource = ''): Promise<ServerAnswer> {
    const path = this.pathTo(text);
    if (path === undefined) return missing(text);
    return this.send('PATCH', path + subresource, JSON.stringify(patch), MERGE_PATCH);
  }

  delete(text: string, propagationPolicy?: string): Promise<ServerAnswer> {
    const path = this.pathTo(text);
    if (path === undefined) return missing(text);
    const body = propagationPolicy === undefined ? undefined : JSON.stringify({ propagationPolicy });
    return this.send('DELETE', path, body, 'application/json');
  }

  send(method: string, path: string, body: string | undefined, contentType: string): Promise<ServerAnswer> {
    let text = `${method} ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${ADMIN_TOKEN}\r\n`;
    if (body !== undefined) text += `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      this.connections.take().exchange(method, `${text}\r\n${body ?? ''}`, {
        onHead: (head: ResponseHead) => {
          ({ status } = head);
        },
        onBody: (bytes: Buffer) => {
          chunks.push(bytes);
        },
        onEnd: () => {
          resolve({ status, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
        },
        onError: reject,
      });
    });
  }

  private pathTo(text: string): string | undefined {
    const found = this.world.find(text);
    if (!found) return undefined;
    const { namespace, name } = found.object.metadata;
    return `${pathOf(found.resource, namespace)}/${encodeURIComponent(name)}`;
  }
}

/** The result of a step of the workload. */
export function stepRecord(at: number, answeredAt: number, { status, body }: ServerAnswer): StepRecord {
  const { message } = (body ?? {}) as { readonly message?: string };
  return { at, answeredAt, status, ...(status >= 400 && message !== undefined && { message }) };
}

function pathOf({ group, apiVersion, plural }: Resource, namespace: string | undefined): string {
  const root = group === '' ? '/api' : '/apis';
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${apiVersion}${scope}/${plural}`;
}

function missing(text: string): Promise<ServerAnswer> {
  return Promise.resolve({ status: 404, body: { message: `${text} not found` } });
}
