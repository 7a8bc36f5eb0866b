import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { fieldClasses } from './field-classes.js';
import { classNameOf, type KindIdentity } from './kind-identity.js';

/** Another version of a kind of a project; the class that reconciles handles its objects too. */
export function versionFile({ group, version, kind, plural, scope }: KindIdentity, hasPlural: boolean): GeneratedFile {
  const className = kind + pascalVersion(version);
  const options = [
    `group: '${group}'`,
    `version: '${version}'`,
    `kind: '${kind}'`,
    ...(hasPlural ? [`plural: '${plural}'`] : []),
    ...(scope === 'Cluster' ? [`scope: 'Cluster'`] : []),
  ];
  const content = `import { CustomResource, Field, Kind, PrintColumn } from 'kindwright';

${fieldClasses(className)}
// Objects are stored in the version of the class that reconciles, unless another class has storage: true. Without
// conversion, only the apiVersion of an object changes between versions, and fields that the stored version does not
// have are lost.
// To convert objects, name the class that reconciles and the differences, for example a field with another name:
//   @ConvertsTo(${classNameOf({ kind })}, [move('spec.size', 'spec.replicas')])

/** ${kind} is the schema for the ${plural} API. */
@Kind({ ${options.join(', ')} })
@PrintColumn({ name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export class ${className} extends CustomResource {
  @Field() spec!: ${className}Spec;
  @Field() status!: ${className}Status;
}
`;
  return { path: `operators/${kind.toLowerCase()}-${version}.ts`, content };
}

/** `v2beta1` -> `V2Beta1`. */
function pascalVersion(version: string): string {
  return version.replaceAll(/[a-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
