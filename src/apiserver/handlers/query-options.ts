import { forbiddenField, invalidValue, notSupported, type FieldError } from '../../api/field-error.js';
import { badRequest, invalid, StatusError } from '../errors/status-error.js';
import type { JsonObject } from '../object.js';
import type { WriteOptions } from '../registry/write-options.js';
import type { ApiRequest } from '../transport/api-request.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of a write, from its query. */
export interface WriteQuery extends WriteOptions {
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

const MAX_FIELD_MANAGER = 128;
const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/** Reads and checks create, update and patch options; `kind` is what errors call them. */
export function writeQuery(request: ApiRequest, kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): WriteQuery {
  const { query, user, warnings, annotations } = request;
  const dryRun = query.getAll('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const isApply = (request.message.headers['content-type'] ?? '').startsWith('application/apply-patch');
  const errors = [
    ...(dryRun.some((value) => value !== 'All') ? [notSupported('dryRun', dryRun, ['All'])] : []),
    ...managerErrors(manager),
    ...(VALIDATIONS.includes(validation) ? [] : [notSupported('fieldValidation', validation, VALIDATIONS)]),
    ...(kind === 'PatchOptions' ? applyErrors(isApply, manager, query.get('force')) : []),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    user,
    warnings,
    annotations,
    dryRun: dryRun.length > 0,
    fieldManager: manager === '' ? managerFromAgent(request) : manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    force: query.get('force') === 'true',
    options: givenOptions(query, kind),
  };
}

/** The options as they came: a patch is admitted as the update it comes to. */
function givenOptions(query: URLSearchParams, kind: string): JsonObject {
  const given = (key: string): JsonObject => {
    const value = query.get(key) ?? '';
    return value === '' ? {} : { [key]: value };
  };
  return {
    kind: kind === 'PatchOptions' ? 'UpdateOptions' : kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
    ...given('fieldManager'),
    ...given('fieldValidation'),
  };
}

function managerErrors(manager: string): FieldError[] {
  if (manager.length > MAX_FIELD_MANAGER) {
    return [
      {
        type: 'FieldValueTooLong',
        field: 'fieldManager',
        body: `Too long: may not be more than ${MAX_FIELD_MANAGER} bytes`,
      },
    ];
  }
  return /[^\x20-\x7e]/.test(manager)
    ? [invalidValue('fieldManager', manager, 'should only contain printable characters')]
    : [];
}

function applyErrors(isApply: boolean, manager: string, force: string | null): FieldError[] {
  if (isApply) {
    return manager === ''
      ? [{ type: 'FieldValueRequired', field: 'fieldManager', body: 'Required value: is required for apply patch' }]
      : [];
  }
  return force === null ? [] : [forbiddenField('force', 'may not be specified for non-apply patch')];
}

/** `kubectl` of `kubectl/v1.36 (linux/amd64)`. */
function managerFromAgent({ message }: ApiRequest): string {
  const agent = message.headers['user-agent'] ?? '';
  return (agent.split('/', 1)[0] ?? '').slice(0, MAX_FIELD_MANAGER);
}

/** Options of a list or watch. */
export interface ListQuery {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly match: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly isWatch: boolean;
}

export function listQuery({ query, info }: ApiRequest): ListQuery {
  const initial = query.get('sendInitialEvents');
  const options: ListQuery = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: integer(query.get('limit')) ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integer(query.get('timeoutSeconds')),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    isWatch: info.verb === 'watch',
  };
  const errors = listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

function listErrors(query: ListQuery): FieldError[] {
  const { match, isWatch, sendInitialEvents } = query;
  if (sendInitialEvents !== undefined) return initialEventsErrors(query);
  if (match === '') return [];
  if (isWatch)
    return [
      forbiddenField(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ];
  return matchErrors(query);
}

function initialEventsErrors({ match, isWatch }: ListQuery): FieldError[] {
  if (!isWatch) return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (match === 'NotOlderThan') return [];
  return [
    forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
  ];
}

function matchErrors({ match, resourceVersion, continueToken }: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => {
    errors.push(forbiddenField('resourceVersionMatch', detail));
  };
  if (resourceVersion === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (continueToken !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && resourceVersion === '0')
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  return errors;
}

function integer(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1';
}

/** A resourceVersion as a number; empty counts as 0. Only lists, which say so in a prefix, call a wrong one a bad request. */
export function parseResourceVersion(text: string, prefix = ''): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  const message = `${prefix}resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  throw prefix === '' ? new StatusError(500, '', message) : badRequest(message);
}
