import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { fieldClasses } from './field-classes.js';
import type { KindIdentity } from './kind-identity.js';

/** A further version of a kind that a project has: its objects are those of the class that reconciles. */
export function versionFile({ group, version, kind, plural, scope }: KindIdentity, pluralSaid: boolean): GeneratedFile {
  const className = kind + pascalVersion(version);
  const options = [
    `group: '${group}'`,
    `version: '${version}'`,
    `kind: '${kind}'`,
    ...(pluralSaid ? [`plural: '${plural}'`] : []),
    ...(scope === 'Cluster' ? [`scope: 'Cluster'`] : []),
  ];
  const content = `import { CustomResource, Field, Kind, PrintColumn } from 'kindwright';

${fieldClasses(className)}
// Objects are stored in the version whose class reconciles, unless another says storage: true. As long as no conversion
// is named, nothing of an object changes between versions but its apiVersion, and a field that the stored version does
// not have is lost. A webhook that converts is named in one of the classes:
//   conversion: {
//     conversionReviewVersions: ['v1'],
//     clientConfig: { service: { namespace: '…', name: '…', path: '/convert' } },
//   },

/** ${kind} is the schema of the ${plural} API. */
@Kind({ ${options.join(', ')} })
@PrintColumn({ name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export abstract class ${className} extends CustomResource {
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
