import { goQuoted } from '../../../base/go-quoted.js';
import { forbiddenField, notSupported, notSupportedText, type FieldError } from '../../../api/protocol/field-error.js';
import { badRequest, invalid, StatusError } from '../../errors/status-error.js';
import type { JsonObject } from '../../objects/api-object.js';
import type { WriteOptions } from '../../registry/write-options.js';
import { fieldManagerErrors } from '../../validation/fields/field-manager-validation.js';
import { assertFieldSyntax } from '../../storage/field-query.js';
import { parseLabelQuery } from '../../storage/label-query.js';
import type { ApiRequest } from '../../transport/request/api-request.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of a write, from its query. */
export interface WriteQuery extends WriteOptions {
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

const MAX_FIELD_MANAGER = 128;
const MAX_UINT64 = 2n ** 64n - 1n;
const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/** Parses and validates create, update and patch options; `kind` is their kind in errors. */
export function writeQuery(request: ApiRequest, kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): WriteQuery {
  const { query, user, warnings, annotations } = request;
  const dryRun = query.getAll('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const isApply = (request.message.headers['content-type'] ?? '').startsWith('application/apply-patch');
  const errors = [
    ...(dryRun.some((value) => value !== 'All') ? [notSupported('dryRun', dryRun, ['All'])] : []),
    ...fieldManagerErrors(manager, 'fieldManager'),
    ...(VALIDATIONS.includes(validation) ? [] : [notSupportedText('fieldValidation', validation, VALIDATIONS)]),
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
    force: isSet(query, 'force'),
    options: givenOptions(query, kind),
  };
}

/** Returns the options as the client sent them, for admission; a patch is admitted as an update. */
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
  /** True if a watch starts with the existing objects. */
  readonly sendInitialEvents: boolean;
  readonly isWatch: boolean;
}

export function listQuery({ query, info }: ApiRequest): ListQuery {
  const isWatch = info.verb === 'watch';
  const saysInitial = query.has('sendInitialEvents');
  const text = (name: string): string => query.get(name) ?? '';
  const timeoutSeconds = parseInt64(query.get('timeoutSeconds'));
  const options: ListQuery = {
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    limit: parseInt64(query.get('limit')) ?? 0,
    continueToken: text('continue'),
    resourceVersion: text('resourceVersion'),
    match: text('resourceVersionMatch'),
    timeoutSeconds,
    allowBookmarks: isSet(query, 'allowWatchBookmarks'),
    sendInitialEvents: saysInitial ? isSet(query, 'sendInitialEvents') : isWatch && takesAnyState(query),
    isWatch,
  };
  if (options.labelSelector !== '') parseLabelQuery(options.labelSelector);
  assertFieldSyntax(options.fieldSelector);
  const errors = isWatch ? watchErrors(options, saysInitial) : listErrors(options, saysInitial);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

/** Returns whether a watch may start at any resource version: SetListOptionsDefaults. */
function takesAnyState(query: URLSearchParams): boolean {
  const version = query.get('resourceVersion') ?? '';
  return (version === '' || version === '0') && (query.get('resourceVersionMatch') ?? '') === '';
}

const INITIAL_FOR_WATCHES = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
const NO_MATCH_WITH_CONTINUE = 'resourceVersionMatch is forbidden when continue is provided';

/** Validates list options in the order of ValidateListOptions. */
function listErrors(query: ListQuery, saysInitial: boolean): FieldError[] {
  const errors = query.match === '' ? [] : matchErrors(query);
  if (saysInitial) errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

/**
 * Validates watch options. Without sendInitialEvents, a watch that has initial events by default also has a default
 * resourceVersionMatch.
 */
function watchErrors({ match, continueToken, sendInitialEvents }: ListQuery, saysInitial: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => {
    errors.push(forbiddenField('resourceVersionMatch', detail));
  };
  if (saysInitial && match !== 'NotOlderThan')
    forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  if (match !== '' && !saysInitial) forbid(INITIAL_FOR_WATCHES);
  if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  if ((match !== '' || sendInitialEvents) && continueToken !== '') forbid(NO_MATCH_WITH_CONTINUE);
  return errors;
}

function matchErrors({ match, resourceVersion, continueToken }: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => {
    errors.push(forbiddenField('resourceVersionMatch', detail));
  };
  if (resourceVersion === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (continueToken !== '') forbid(NO_MATCH_WITH_CONTINUE);
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && resourceVersion === '0')
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  return errors;
}

export function parseInt64(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const isNumber = /^[+-]?\d+$/.test(text);
  const number = isNumber ? BigInt(text.replace('+', '')) : 0n;
  if (isNumber && BigInt.asIntN(64, number) === number) return Number(number);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  throw badRequest(`strconv.ParseInt: parsing ${goQuoted(text)}: ${why}`);
}

/** Returns whether a parameter is set and not "0" or "false": Convert_Slice_string_To_bool. */
export function isSet(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

/** Parses a resourceVersion; empty counts as 0. With a prefix, used by lists, an invalid one is a bad request. */
export function parseResourceVersion(text: string, prefix = ''): number {
  if (text === '') return 0;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= MAX_UINT64) return Number(text);
  const quoted = goQuoted(text);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  const message = `${prefix}resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
  throw prefix === '' ? new StatusError(500, '', message) : badRequest(message);
}
