import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({});
});
afterEach(() => project.remove());

const generate = () => project.run('generate-manifests', []);

describe('generate-manifests and calls of a context', () => {
  const source = (decorators: string) => `
import { byLabel, ConfigMap, CustomResource, Deployment, Kind, Node, Owns, Rbac, Secret, Watches, type Context } from 'kindwright';

${decorators}
@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  async reconcile(c: Context): Promise<void> {
    await c.apply(Deployment, { metadata: { name: 'web' } });
    await c.apply(ConfigMap, { metadata: { name: 'web' } }, { owned: false });
    await this.check(c);
  }

  private async check(ctx: Context) {
    const names = [1, 2].map((n) => ctx.get(Secret, String(n)));
    return [names, await ctx.list(Node), await ctx.list(Gauge), [Owns, Rbac, Watches, byLabel, ctx.log].length];
  }
}
`;

  test('reads of kinds that are not watched cause warnings with file and line', async () => {
    project.write({ 'operators/gauge.ts': source('') });
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(0);
    expect(stderr.split('\n')).toEqual([
      'warning: operators/gauge.ts:8 Gauge.reconcile: Gauge owns Deployment objects but does not watch them; add @Owns(Deployment) to Gauge (operators/gauge.ts:6)',
      `warning: operators/gauge.ts:14 Gauge.check: Gauge reads Secret objects but does not watch them; add @Watches(Secret, …) to Gauge (operators/gauge.ts:6), or @Rbac(Secret, 'get') if no reconcile is needed`,
      `warning: operators/gauge.ts:15 Gauge.check: Gauge reads Node objects but does not watch them; add @Watches(Node, …) to Gauge (operators/gauge.ts:6), or @Rbac(Node, 'list') if no reconcile is needed`,
      '',
    ]);
  });

  test('reads of kinds that are watched or declared cause no warning', async () => {
    const decorators = `@Owns(Deployment) @Watches(Node, byLabel('pool')) @Rbac(Secret, 'get')`;
    project.write({ 'operators/gauge.ts': source(decorators) });
    expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  const watching = (decorators: string) => `
import { CustomResource, Kind, Rbac, Secret, type Context } from 'kindwright';

${decorators}
@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    await ctx.watch(Secret, { name: 'ca' });
    await ctx.get(Secret, [Rbac, 'ca'].join());
  }
}
`;

  test('ctx.watch without permission causes a warning with the @Rbac to add', async () => {
    project.write({ 'operators/gauge.ts': watching(`@Rbac(Secret, 'get', 'watch')`) });
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(0);
    expect(stderr.split('\n')).toEqual([
      `warning: operators/gauge.ts:8 Gauge.reconcile: Gauge watches Secret objects without permission; add @Rbac(Secret, 'list', 'watch') to Gauge (operators/gauge.ts:6)`,
      '',
    ]);
  });

  test('ctx.watch with permission causes no warning, nor do reads of the same kind', async () => {
    project.write({ 'operators/gauge.ts': watching(`@Rbac(Secret, 'list', 'watch')`) });
    expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
