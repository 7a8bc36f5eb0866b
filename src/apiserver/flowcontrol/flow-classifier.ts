import type { ServerResponse } from 'node:http';
import { numberAt, objectAt, stringAt, type ApiObject } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { matchesFlowSchema } from './flow-schema-match.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const [SCHEMAS, LEVELS] = [`flowschemas.${GROUP}`, `prioritylevelconfigurations.${GROUP}`];
/** Long-running requests other than watches, which flow control does not classify. */
const LONG_RUNNING = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

interface Flow {
  readonly schema: ApiObject;
  readonly level: ApiObject;
}

/**
 * Adds the headers with the matching FlowSchema to responses. Requests are never queued, whatever their priority level.
 */
export class FlowClassifier {
  private flows: readonly Flow[] | undefined;

  constructor(private readonly store: ObjectStore) {
    const forget = (): void => {
      this.flows = undefined;
    };
    for (const name of [SCHEMAS, LEVELS]) store.collection(name).subscribe(forget);
  }

  mark(request: ApiRequest, response: ServerResponse): void {
    if (request.info.isResource && LONG_RUNNING.has(request.info.subresource)) return;
    this.flows ??= this.read();
    const flow = this.flows.find(({ schema }) => matchesFlowSchema(schema, request));
    if (!flow) return;
    response.setHeader('X-Kubernetes-PF-FlowSchema-UID', flow.schema.metadata.uid ?? '');
    response.setHeader('X-Kubernetes-PF-PriorityLevel-UID', flow.level.metadata.uid ?? '');
  }

  /** Returns the schemas with an existing priority level, by matching precedence. */
  private read(): Flow[] {
    const precedence = ({ schema }: Flow): number => numberAt(schema.spec, 'matchingPrecedence') ?? 0;
    return [...this.store.collection(SCHEMAS).range('')]
      .flatMap(({ object: schema }) => {
        const name = stringAt(objectAt(schema, 'spec').priorityLevelConfiguration, 'name');
        const level = this.store.get(LEVELS, name)?.object;
        return level ? [{ schema, level }] : [];
      })
      .sort((one, other) => precedence(one) - precedence(other));
  }
}
