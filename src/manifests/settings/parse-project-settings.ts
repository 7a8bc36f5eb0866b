import type { FieldError } from '../../api/protocol/field-error.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { isJsonObject } from '../../base/json-object.js';
import { nearest } from '../../base/nearest.js';
import { OperatorError } from '../../base/operator-error.js';
import { listTypeErrors, SchemaValidator } from '../../crd/schema/schema-validator.js';
import { memberSchema } from '../../crd/schema/structural-schema.js';
import type { DeploymentSettings } from './deployment-settings.js';
import { projectSchema } from './project-schema.js';
import type { ProjectSettings } from './project-settings.js';

/** The member of package.json that holds the settings. */
const KEY = 'kindwright';

/**
 * Validates and returns the settings in the text of a package.json; empty without the member `kindwright`.
 *
 * @param file the name of the file in errors
 * @throws OperatorError that lists every unknown key and invalid value by its path
 */
export function parseProjectSettings(text: string, file: string): ProjectSettings {
  const given = settingsIn(text, file);
  if (given === undefined) return {};
  const schema: JsonSchema = { type: 'object', properties: { [KEY]: projectSchema() } };
  const value = { [KEY]: given };
  const lines = [
    ...unknownKeys(schema, value, ''),
    ...named(new SchemaValidator(schema).validate(value)).map(describe),
    ...listTypeErrors(schema, value, '').map(describe),
  ];
  if (lines.length === 0) lines.push(...unknownVolumes(given as ProjectSettings));
  if (lines.length === 0) return given as ProjectSettings;
  const [first = ''] = lines;
  throw invalid(lines.length === 1 ? `${file}: ${first}` : `${file}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function settingsIn(text: string, file: string): unknown {
  try {
    const manifest: unknown = JSON.parse(text);
    return isJsonObject(manifest) ? manifest[KEY] : undefined;
  } catch (error) {
    throw invalid(`${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Errors of no field repeat others; they count where there is nothing else. */
function named(errors: readonly FieldError[]): readonly FieldError[] {
  const ofFields = errors.filter(({ field }) => field !== '<nil>');
  return ofFields.length > 0 ? ofFields : errors;
}

function describe({ field, body }: FieldError): string {
  return `${field}: ${body}`;
}

/** Keys that the schema does not have; a schema without properties takes any. */
function unknownKeys(schema: JsonSchema, value: unknown, path: string): string[] {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item: unknown, index) => unknownKeys(items, item, `${path}[${index}]`)) : [];
  if (!isJsonObject(value) || (properties === undefined && additionalProperties === undefined)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const below = path === '' ? name : `${path}.${name}`;
    const known = memberSchema(schema, name);
    return known ? unknownKeys(known, member, below) : [unknownKey(below, name, Object.keys(properties ?? {}))];
  });
}

function unknownKey(path: string, name: string, known: readonly string[]): string {
  const similar = nearest(name, known);
  return `${path}: unknown key; ${similar === undefined ? `known keys are ${known.join(', ')}` : `did you mean ${similar}?`}`;
}

/** Mounts of volumes that the Deployment does not have, which the API server refuses. */
function unknownVolumes({ deployment = {}, deployments = {} }: ProjectSettings): string[] {
  const problemsOf = ({ volumeMounts = [] }: DeploymentSettings, all: DeploymentSettings, path: string): string[] => {
    const names = (all.volumes ?? []).map(({ name }) => name);
    return volumeMounts.flatMap(({ name }, index) =>
      names.includes(name) ? [] : [`${path}.volumeMounts[${index}].name: references unknown volume "${name}"`],
    );
  };
  return [
    ...problemsOf(deployment, deployment, `${KEY}.deployment`),
    ...Object.entries(deployments).flatMap(([name, own]) =>
      problemsOf(own, { ...deployment, ...own }, `${KEY}.deployments.${name}`),
    ),
  ];
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'E_CONFIG', hint: 'see docs/deployment.md for the settings of a project' });
}
