import { forbiddenField, invalidValue, required, tooLong, type FieldError } from '../../api/protocol/field-error.js';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import { isJsonObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { checkDnsSubdomain } from './fields/field-checks.js';
import { internalEqual, internalForm } from './fields/internal-form.js';
import { validateDriverName } from './pods/volumes/driver-name-validation.js';
import { validateInlineVolumeSpec } from './volume-spec-validation.js';

const SPEC = 'storage.VolumeAttachmentSpec';
const MAX_METADATA = 256 * 1024;
const MAX_MESSAGE = 1024;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** Returns the errors of a VolumeAttachment. */
export function validateAttachment(object: ApiObject): FieldError[] {
  const [spec, status] = [objectAt(object, 'spec'), objectAt(object, 'status')];
  const name = objectAt(spec, 'source').persistentVolumeName;
  return [
    ...validateDriverName('spec.attacher', stringAt(spec, 'attacher')),
    ...sourceErrors(objectAt(spec, 'source')),
    ...checkDnsSubdomain('spec.nodeName', stringAt(spec, 'nodeName')),
    ...metadataErrors(objectAt(status, 'attachmentMetadata')),
    ...['attachError', 'detachError'].flatMap((field) => problemErrors(objectAt(status, field), `status.${field}`)),
    ...(typeof name === 'string'
      ? dnsSubdomainErrors(name).map((message) => invalidValue('spec.source.persistentVolumeName', name, message))
      : []),
  ];
}

function sourceErrors({ inlineVolumeSpec: inline, persistentVolumeName: name }: JsonObject): FieldError[] {
  const isInline = isJsonObject(inline);
  if (isInline && name !== undefined) return [forbiddenField('spec.source', ONE_SOURCE)];
  if (isInline) return validateInlineVolumeSpec(inline, 'spec.source.inlineVolumeSpec');
  if (name === undefined) return [required('spec.source', ONE_SOURCE)];
  return name === ''
    ? [required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')]
    : [];
}

function metadataErrors(metadata: JsonObject): FieldError[] {
  const size = Object.entries(metadata).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  return size > MAX_METADATA ? [tooLong('status.attachmentMetadata', MAX_METADATA)] : [];
}

/** Returns the errors of a volume error; for a message that is too long, Kubernetes reports a different limit. */
function problemErrors(problem: JsonObject, field: string): FieldError[] {
  const code = numberAt(problem, 'errorCode') ?? 0;
  const isLong = Buffer.byteLength(stringAt(problem, 'message')) > MAX_MESSAGE;
  return [
    ...(isLong ? [tooLong(`${field}.message`, MAX_METADATA)] : []),
    ...(code < 0 ? [invalidValue(`${field}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')] : []),
  ];
}

/** Returns the errors of an update of a VolumeAttachment: its spec is immutable. */
export function validateAttachmentChange(next: ApiObject, old: ApiObject): FieldError[] {
  if (internalEqual(SPEC, next.spec, old.spec)) return [];
  return [invalidValue('spec', internalForm(SPEC, next.spec), 'field is immutable')];
}
