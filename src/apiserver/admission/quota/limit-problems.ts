import { formatQuantity, type Quantity } from '../../../api/schema/quantity.js';
import type { JsonObject } from '../../objects/api-object.js';
import { resourceList, type ResourceList } from '../../objects/resource-list.js';

/** Requests and limits; undefined if the object has no such field. */
export interface Amounts {
  readonly requests: ResourceList;
  readonly limits: ResourceList | undefined;
}

/** Returns the violations of one item of a LimitRange, with limitranger's messages. */
export function limitProblems(limit: JsonObject, amounts: Amounts): string[] {
  const type = String(limit.type);
  const each = (member: string, check: (about: Bound, amounts: Amounts) => string | undefined): string[] =>
    [...resourceList(limit[member])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, bound]) => check({ type, name, bound }, amounts) ?? []);
  return [
    ...each('min', belowMinimum),
    ...each('max', aboveMaximum),
    ...(amounts.limits ? each('maxLimitRequestRatio', aboveRatio) : []),
  ];
}

interface Bound {
  readonly type: string;
  readonly name: string;
  readonly bound: Quantity;
}

function belowMinimum({ type, name, bound }: Bound, { requests, limits }: Amounts): string | undefined {
  const [request, limit] = [requests.get(name), limits?.get(name)];
  const about = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!request) return `${about}.  No request is specified`;
  if (request.nano < bound.nano) return `${about}, but request is ${formatQuantity(request)}`;
  return limit && limit.nano < bound.nano ? `${about}, but limit is ${formatQuantity(limit)}` : undefined;
}

function aboveMaximum({ type, name, bound }: Bound, { requests, limits }: Amounts): string | undefined {
  const [request, limit] = [requests.get(name), limits?.get(name)];
  const about = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limits && !limit) return `${about}.  No limit is specified`;
  if (!limits && !request) return `${about}.  No request is specified`;
  if (limit && limit.nano > bound.nano) return `${about}, but limit is ${formatQuantity(limit)}`;
  return request && request.nano > bound.nano ? `${about}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio({ type, name, bound }: Bound, { requests, limits }: Amounts): string | undefined {
  const [request = 0n, limit = 0n] = [requests.get(name)?.nano, limits?.get(name)?.nano];
  const about = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (request === 0n) return `${about}, but no request is specified or request is 0`;
  if (limit === 0n) return `${about}, but no limit is specified or limit is 0`;
  if (limit * 1_000_000_000n <= bound.nano * request) return undefined;
  return `${about}, but provided ratio is ${(Number(limit) / Number(request)).toFixed(6)}`;
}
