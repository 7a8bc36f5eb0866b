import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const SPEC = `import { Field } from 'kindwright';

export class BaseSpec {
  @Field({ minLength: 3, maxLength: 2 })
  inherited!: string;
}

export class GaugeSpec extends BaseSpec {
  @Field() size!: number;

  @Field({ items: { type: 'string', minimum: 1 } })
  labels!: string[];
}
`;
const OPERATOR = `import { CustomResource, Field, Finalizer, Kind, Owns, PrintColumn, XValidation } from 'kindwright';
import { GaugeSpec } from './lib/gauge-spec.js';

@Kind({
  group: 'demo.example.com',
  version: 'v1',
})
@Owns({} as never)
@PrintColumn({ name: 'Label', type: 'string', jsonPath: '.spec.labels' })
@PrintColumn({ name: 'Typo', type: 'string', jsonPath: '.spec.sise' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}

  @Finalizer('cleanup')
  async cleanUp(): Promise<void> {}
}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({});
});
afterEach(() => project.remove());

const generate = async (files: Readonly<Record<string, string>>): Promise<string> => {
  project.write(files);
  return (await project.run('generate-manifests', [])).stderr;
};

test('every error in a class is preceded by file and line, in base classes and other files too', async () => {
  const stderr = await generate({ 'operators/gauge.ts': OPERATOR, 'operators/lib/gauge-spec.ts': SPEC });
  const sources = Array.from(stderr.matchAll(/^ {2}(\S+:\d+) ([\w.[\]]+): (@?\w+)/gm), ([, line, path, word]) => {
    return `${line} ${path} ${word}`;
  });
  expect(sources.sort()).toEqual([
    'operators/gauge.ts:10 Gauge @PrintColumn',
    'operators/gauge.ts:16 Gauge.cleanUp @Finalizer',
    'operators/gauge.ts:8 Gauge @Owns',
    'operators/lib/gauge-spec.ts:12 GaugeSpec.labels[] minimum',
    'operators/lib/gauge-spec.ts:5 GaugeSpec.inherited minLength',
    'operators/lib/gauge-spec.ts:9 GaugeSpec.size is',
  ]);
});

test('errors of the API server and warnings are preceded by file and line', async () => {
  const stderr = await generate({
    'operators/gauge.ts': `import { CustomResource, Field, Kind, XValidation } from 'kindwright';

@XValidation({ rule: 'self.size > 0' })
@XValidation({ rule: 'self.sise > 0' })
export class GaugeSpec {
  @Field({ format: 'int32' }) size!: number;

  @Field({ format: 'ip4' })
  address!: string;
}

/** A gauge. */
@Kind({ group: 'demo.example.com', version: 'v1', shortNames: ['po'] })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`,
  });
  expect(stderr).toContain('error: operators/gauge.ts:4 GaugeSpec: ');
  expect(stderr).toContain('warning: operators/gauge.ts:9 GaugeSpec.address: ');
  expect(stderr).toContain('warning: operators/gauge.ts:13 Gauge: ');
});

test('problems of an operator with conversions name file and line of the class (G13, G16)', async () => {
  const operators = `import { ConvertsTo, CustomResource, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1', kind: 'Gauge', storage: true })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
@Kind({ group: 'demo.example.com', version: 'v1beta1', kind: 'Gauge' })
@ConvertsTo(Gauge, [])
export abstract class OldGauge extends CustomResource {}
`;
  project.write({ 'operators/gauge.ts': operators });
  const problem = 'only one installation can convert the objects of a cluster';
  expect((await project.run('generate-manifests', ['--watch-namespace', 'a'])).stderr).toContain(
    `error: operators/gauge.ts:4 Gauge: ${problem}`,
  );
  const settings = { type: 'module', kindwright: { deployment: { replicas: 1 } } };
  project.write({ 'package.json': JSON.stringify(settings) });
  expect((await project.run('generate-manifests', [])).stderr).toContain(
    'warning: operators/gauge.ts:4 Gauge: with fewer than 2 replicas of gauge, writes fail',
  );
});

test('the error for an import cycle has the line of the decorator that uses the class too early', async () => {
  const kind = (name: string, other: string) => `import { CustomResource, Kind, Owns, PrintColumn } from 'kindwright';
import { ${other} } from './${other.toLowerCase()}.js';

@Kind({ group: 'demo.example.com', version: 'v1' })
@PrintColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size', anyPath: true })
@Owns(${other})
export class ${name} extends CustomResource {
  reconcile(): void {}
}
`;
  const stderr = await generate({ 'operators/one.ts': kind('One', 'Two'), 'operators/two.ts': kind('Two', 'One') });
  expect(stderr).toContain("operators/two.ts:6: Cannot access 'One' before initialization");
});

test.each([
  ["export { limit } from './missing.js';", 'Cannot find module'],
  ["export { limit } from 'no-such-package/limits';", "Cannot find package 'no-such-package'"],
])('the error for a module that does not exist has the line of %s', async (line, problem) => {
  const stderr = await generate({
    'operators/gauge.ts': `import './lib/limits.js';\n`,
    'operators/lib/limits.ts': `\n\n${line}`,
  });
  expect(stderr).toContain(`operators/lib/limits.ts:3: ${problem}`);
});

test('missing and wrong arguments of decorators are reported at the line of the decorator or its method', async () => {
  const operator = `const kindwright = await import('kindwright');
const { Field, Finalizer, Kind, Policy, Rbac, ConvertsTo } = kindwright as any;

@Kind({ group: 'demo.example.com', version: 'v1' })
@Rbac()
@Policy()
@ConvertsTo()
export class Gauge extends kindwright.CustomResource {
  @Field(3) spec: unknown;
  @Finalizer() async cleanUp(): Promise<void> {}
  reconcile(): void {}
}
`;
  const stderr = await generate({ 'operators/gauge.ts': operator });
  expect(Array.from(stderr.matchAll(/^ {2}(\S+:\d+ [\w.]+: @?\w+)/gm), ([, where]) => where).sort()).toEqual([
    'operators/gauge.ts:10 Gauge.cleanUp: @Finalizer',
    'operators/gauge.ts:5 Gauge: @Rbac',
    'operators/gauge.ts:6 Gauge: @Policy',
    'operators/gauge.ts:7 Gauge: @ConvertsTo',
    'operators/gauge.ts:9 Gauge.spec: @Field',
  ]);
});
