import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { canonicalQuantity, formatQuantity, parseQuantity } from '../../../../api/schema/quantity.js';
import { containerResources } from '../../../objects/container-resources.js';
import { resourceList } from '../../../objects/resource-list.js';
import { eachObject, isJsonObject, objectAt, textOf, type JsonObject } from '../../../objects/api-object.js';
import {
  isOvercommitAllowed,
  validateAmount,
  validateContainerResourceName,
  validateResourceName,
} from '../../fields/resource-name-validation.js';
import { validateClaimUses } from '../resource-claim-validation.js';

const PAGES = 'hugepages-';
const COMPUTE = ['cpu', 'memory'];
const OF_PODS = ['cpu', PAGES, 'memory'];
const NANO = 1_000_000_000n;

type NameCheck = (field: string, name: string) => FieldError[];

/** Returns the errors of a container's requests and limits: core's ValidateContainerResourceRequirements. */
export function validateContainerResources(
  resources: JsonObject,
  field: string,
  claims: readonly string[],
): FieldError[] {
  return [
    ...requirementErrors(resources, field, validateContainerResourceName),
    ...validateClaimUses(resources.claims, `${field}.claims`, claims),
  ];
}

function requirementErrors(resources: JsonObject, field: string, checkName: NameCheck): FieldError[] {
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const arePagesAlone = names.some((name) => name.startsWith(PAGES)) && !names.some((name) => COMPUTE.includes(name));
  const amountErrors = (list: string, name: string, amount: unknown): FieldError[] => {
    const path = `${field}.${list}[${name}]`;
    return [...checkName(path, name), ...validateAmount(path, name, amount)];
  };
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => [
      ...amountErrors('limits', name, amount),
      ...pageErrors(`${field}.limits[${name}]`, name, amount),
    ]),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...amountErrors('requests', name, amount),
      ...limitErrors(name, amount, limits[name], field),
      ...pageErrors(`${field}.requests[${name}]`, name, amount),
    ]),
    ...(arePagesAlone ? [forbiddenField(field, 'HugePages require cpu or memory')] : []),
  ];
}

function limitErrors(name: string, request: unknown, limit: unknown, field: string): FieldError[] {
  const canOvercommit = isOvercommitAllowed(name);
  const [wanted, most] = [parseQuantity(textOf(request)), parseQuantity(textOf(limit ?? ''))];
  if (limit === undefined)
    return canOvercommit ? [] : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  if (!wanted || !most || wanted.nano === most.nano) return [];
  const refused = (how: string): FieldError[] => [
    invalidValue(`${field}.requests`, shown(request), `must be ${how} ${name} limit of ${shown(limit)}`),
  ];
  if (!canOvercommit) return refused('equal to');
  return wanted.nano < most.nano ? [] : refused('less than or equal to');
}

const shown = (amount: unknown): string => canonicalQuantity(amount) ?? textOf(amount);

/** An amount of huge pages must be a multiple of the page size. */
function pageErrors(field: string, name: string, amount: unknown): FieldError[] {
  if (!name.startsWith(PAGES)) return [];
  const size = parseQuantity(name.slice(PAGES.length))?.nano ?? 0n;
  const wanted = parseQuantity(textOf(amount))?.nano ?? 0n;
  const isWhole = size > 0n && size % NANO === 0n && wanted % size === 0n;
  const detail = `${shown(amount)} is not positive integer multiple of ${name}`;
  return isWhole ? [] : [invalidValue(field, shown(amount), detail)];
}

/** Returns the errors of pod-level resources: core's validatePodResources. */
export function validatePodLevelResources(spec: JsonObject, field: string): FieldError[] {
  const { resources } = spec;
  const own = `${field}.resources`;
  if (!isJsonObject(resources)) return [];
  if (objectAt(spec, 'os').name === 'windows') return [forbiddenField(own, 'may not be set for a windows pod')];
  return [
    ...(resources.claims === undefined
      ? []
      : [forbiddenField(`${own}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...requirementErrors(resources, own, validatePodResourceName),
    ...validateClaimUses(
      resources.claims,
      `${own}.claims`,
      eachObject(spec.resourceClaims).map(({ name }) => String(name)),
    ),
    ...consistencyErrors(spec, resources, own),
  ];
}

const validatePodResourceName: NameCheck = (field, name) => {
  const errors = validateResourceName(field, name);
  const isOfPods = COMPUTE.includes(name) || name.startsWith(PAGES);
  return errors.length > 0 || isOfPods ? errors : [notSupported(field, name, OF_PODS)];
};

/** The requests of a pod must not be less than the sum of its containers' requests. */
function consistencyErrors(spec: JsonObject, resources: JsonObject, field: string): FieldError[] {
  const [limits, requests] = [resourceList(resources.limits), resourceList(resources.requests)];
  const sums = (list: 'limits' | 'requests', own: typeof limits, isLooked: (name: string) => boolean): FieldError[] =>
    [...containerResources(spec, list)].flatMap(([name, sum]) => {
      const most = own.get(name);
      if (!most || !isLooked(name) || sum.nano <= most.nano) return [];
      const detail = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`;
      return [invalidValue(`${field}.${list}[${name}]`, formatQuantity(most), detail)];
    });
  return [
    ...sums('requests', requests, () => true),
    ...sums('limits', limits, (name) => name.startsWith(PAGES)),
    ...eachObject(spec.containers).flatMap((container, index) =>
      [...resourceList(objectAt(container, 'resources').limits)].flatMap(([name, limit]) => {
        const most = limits.get(name);
        if (!most || limit.nano <= most.nano) return [];
        const detail = `must be less than or equal to pod limits of ${formatQuantity(most)}`;
        return [invalidValue(`${field}.containers[${index}][${name}].limits`, formatQuantity(limit), detail)];
      }),
    ),
  ];
}
