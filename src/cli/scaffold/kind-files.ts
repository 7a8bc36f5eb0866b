import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { fieldClasses } from './field-classes.js';
import { classNameOf, type KindIdentity } from './kind-identity.js';

/**
 * A working operator for a new kind, and its test.
 *
 * @param testModule the module that the test imports: `vitest` or `@jest/globals`
 */
export function kindFiles(identity: KindIdentity, testModule = 'vitest'): GeneratedFile[] {
  const name = identity.kind.toLowerCase();
  return [
    { path: `operators/${name}.ts`, content: operator(identity) },
    { path: `test/${name}.test.ts`, content: operatorTest(identity, testModule) },
  ];
}

function operator({ group, version, kind, plural, scope }: KindIdentity): string {
  const name = kind.toLowerCase();
  const className = classNameOf({ kind });
  const isCluster = scope === 'Cluster';
  const options = [
    `group: '${group}'`,
    `version: '${version}'`,
    ...(className === kind ? [] : [`kind: '${kind}'`]),
    ...(isCluster ? [`scope: 'Cluster'`] : []),
  ];
  return `import { Context, CustomResource, Deployment, Field, Kind, Owns, PrintColumn, Sample } from 'kindwright';

${fieldClasses(kind)}
/** ${kind} is the schema for the ${plural} API. */
@Kind({ ${options.join(', ')} })
@Owns(Deployment)
@PrintColumn({ name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' })
@PrintColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
@Sample({ name: 'example', spec: { replicas: 2, image: 'registry.k8s.io/pause:3.10' } })
export class ${className} extends CustomResource {
  @Field() spec!: ${kind}Spec;
  @Field() status!: ${kind}Status;

  /** Called after a change of this object or of the Deployment that it owns. */
  async reconcile(ctx: Context): Promise<void> {
    const labels = { 'app.kubernetes.io/name': '${name}', 'app.kubernetes.io/instance': this.metadata.name };
    const deployment = await ctx.apply(Deployment, {
      metadata: { name: this.metadata.name, ${isCluster ? `namespace: 'default', ` : ''}labels },
      spec: {
        replicas: this.spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: '${name}', image: this.spec.image }] } },
      },
    });
    this.status.readyReplicas = deployment.status?.readyReplicas ?? 0;
  }
}
`;
}

function operatorTest({ kind, scope }: KindIdentity, testModule: string): string {
  const name = kind.toLowerCase();
  const className = classNameOf({ kind });
  const variable = kind.charAt(0).toLowerCase() + kind.slice(1);
  const isCluster = scope === 'Cluster';
  const place = isCluster ? '' : ', namespace';
  const where = isCluster ? '' : ', { namespace }';
  const inDefault = isCluster ? `{ namespace: 'default' }` : '{ namespace }';
  const namespace = isCluster ? '' : '    const namespace = await cluster.namespace();\n';
  return `import { afterAll, beforeAll, describe, expect, test } from '${testModule}';
import { Deployment } from 'kindwright';
import { eventually, simulate, startCluster, type Cluster } from 'kindwright/testing';
import { ${className} } from '../operators/${name}.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.run(${className});
});
afterAll(() => cluster.stop());

const spec = { replicas: 2, image: 'example' };

describe('${kind}', () => {
  test('counts the ready pods', async () => {
${namespace}    await cluster.create(${className}, { metadata: { name: 'counted'${place} }, spec });
    await eventually(async () => {
      const ${variable} = await cluster.client.get(${className}, 'counted'${where});
      expect(${variable}.status?.readyReplicas).toBe(2);
    });
  });

  test('reverts a manual scale of its Deployment', async () => {
${namespace}    const replicas = async () =>
      (await cluster.client.get(Deployment, 'scaled', ${inDefault})).spec?.replicas;
    await cluster.create(${className}, { metadata: { name: 'scaled'${place} }, spec });
    await eventually(async () => expect(await replicas()).toBe(2));
    await cluster.client.patch(Deployment, 'scaled', { spec: { replicas: 7 } }, ${inDefault});
    await eventually(async () => expect(await replicas()).toBe(2));
  });

  test('rejects a negative number of pods', async () => {
${namespace}    const wrong = { metadata: { name: 'wrong'${place} }, spec: { ...spec, replicas: -1 } };
    await expect(cluster.create(${className}, wrong)).rejects.toThrow(/spec\\.replicas/);
  });

  // Crashes and more in simulated clusters; without \`only\`, also changes by others and failures of the cluster.
  const only = ['crash', 'lost-answer', 'conflict', 'lag'];
  test('survives what happens to operators', () => simulate(${className}, { schedules: 30, only }), 120_000);
});
`;
}
