import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { fieldClasses } from './field-classes.js';
import { classNameOf, type KindIdentity } from './kind-identity.js';

/**
 * Another version of a kind of a project; the class that reconciles handles its objects too.
 *
 * @param content of a file with the fields of an existing version; without it the file has fields to replace
 */
export function versionFile(identity: KindIdentity, hasPlural: boolean, content?: string): GeneratedFile {
  const { version, kind } = identity;
  const path = `operators/${kind.toLowerCase()}-${version}.ts`;
  return { path, content: content ?? template(identity, hasPlural) };
}

/** The options of `@Kind` of another version. */
export function versionOptions({ group, version, kind, plural, scope }: KindIdentity, hasPlural: boolean): string {
  const options = [
    `group: '${group}'`,
    `version: '${version}'`,
    `kind: '${kind}'`,
    ...(hasPlural ? [`plural: '${plural}'`] : []),
    ...(scope === 'Cluster' ? [`scope: 'Cluster'`] : []),
  ];
  return `{ ${options.join(', ')} }`;
}

function template(identity: KindIdentity, hasPlural: boolean): string {
  const { version, kind, plural } = identity;
  const className = kind + pascalVersion(version);
  return `import { CustomResource, Field, Kind, PrintColumn } from 'kindwright';

${fieldClasses(className)}
${conversionComment(classNameOf({ kind }))}

/** ${kind} is the schema for the ${plural} API. */
@Kind(${versionOptions(identity, hasPlural)})
@PrintColumn({ name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export class ${className} extends CustomResource {
  @Field() spec!: ${className}Spec;
  @Field() status!: ${className}Status;
}
`;
}

/** How objects are converted to the version of the class that reconciles. */
export function conversionComment(reconciled: string): string {
  return `// Objects are stored in the version of the class that reconciles, unless another class has storage: true. Without
// conversion, only the apiVersion of an object changes between versions, and fields that the stored version does not
// have are lost.
// To convert objects, name the class that reconciles and the differences, for example a field with another name:
//   @ConvertsTo(${reconciled}, [move('spec.size', 'spec.replicas')])`;
}

/** `v2beta1` -> `V2Beta1`. */
export function pascalVersion(version: string): string {
  return version.replaceAll(/[a-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
