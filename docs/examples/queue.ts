import { on, EventEmitter } from 'node:events';
import {
  CustomResource,
  Field,
  Kind,
  type MappedObject,
  Source,
  type SourceContext,
  type SourceRequest,
} from 'kindwright';

/** Stands for the client of a message broker. */
export const broker = Object.assign(new EventEmitter(), { depths: new Map<string, number>() });

class QueueSpec {
  @Field() topic!: string;
}

class QueueStatus {
  @Field({ format: 'int32' }) depth?: number;
}

@Kind({ group: 'example.com', version: 'v1' })
export class Queue extends CustomResource {
  @Field() spec!: QueueSpec;
  @Field() status!: QueueStatus;

  @Source()
  static async *follow({ signal }: SourceContext): AsyncGenerator<string> {
    for await (const [name] of on(broker, 'message', { signal })) yield `default/${String(name)}`;
  }

  @Source({ path: '/hooks/queue', auth: { bearer: { env: 'QUEUE_HOOK_TOKEN' } } })
  static pushed({ cache }: SourceContext, request: SourceRequest): Iterable<MappedObject> {
    const { topic } = request.json() as { topic: string };
    return cache
      .list(Queue)
      .filter(({ spec }) => spec.topic === topic)
      .map(({ metadata }) => metadata);
  }

  reconcile(): void {
    this.status.depth = broker.depths.get(this.spec.topic) ?? 0;
  }
}
