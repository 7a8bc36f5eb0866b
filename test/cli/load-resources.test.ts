import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const SPEC = `
import { Field } from 'kindwright';

/** GaugeSpec describes what to show */
export class GaugeSpec {
  /** Label is shown */
  @Field() label!: string;
}
`;
const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';
import { GaugeSpec } from './lib/gauge-spec.js';

/** Gauge is the Schema for the gauges API */
@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR, 'operators/lib/gauge-spec.ts': SPEC });
});
afterEach(() => project.remove());

const load = (...args: string[]) => project.run('generate-manifests', args);
const crd = () => readFileSync(join(project.folder, 'crds-out', 'demo.example.com_gauges.yaml'), 'utf8');
const cached = () => {
  const folder = join(project.folder, 'node_modules', '.cache', 'kindwright', 'compiled');
  return readdirSync(folder).map((name) => join(folder, name));
};

describe('loading', () => {
  test('the loader accepts classes that are defined below, and modules that import each other', async () => {
    const part = "import { Field } from 'kindwright';\nimport { GaugeSpec } from './gauge-spec.js';\n";
    project.write({
      'operators/lib/part.ts': `${part}export class Part { @Field({ type: () => GaugeSpec, preserveUnknownFields: true }) whole!: GaugeSpec; }`,
      'operators/lib/gauge-spec.ts': [
        "import { Field } from 'kindwright';\nimport { Part } from './part.js';",
        'export class GaugeSpec { @Field({ type: () => Label }) label!: Label; @Field() part!: Part }',
        'class Label { @Field() text!: string }',
      ].join('\n'),
    });
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(crd()).toMatch(/label:[\s\S]*text:[\s\S]*part:[\s\S]*whole:/);
  });

  test('an operator that is not exported is an error, and nothing is written', async () => {
    const hidden = OPERATOR.replace('export class Gauge', 'class Dial');
    project.write({ 'operators/dial.ts': `${hidden}\n${OPERATOR.replace(/^import.*/gm, '')}` });
    expect(await load('operators/dial.ts')).toMatchObject({
      exitCode: 78,
      stdout: '',
      stderr: expect.stringMatching(
        /operators\/dial\.ts:7: Dial is not exported, so it would not run[\s\S]*write: export class Dial/,
      ),
    });
  });

  test('a class without reconcile that is not exported serves for reads', async () => {
    const other =
      "@Kind({ group: 'other.example.com', version: 'v1' })\nabstract class Other extends CustomResource {}";
    project.write({ 'operators/gauge.ts': `${OPERATOR}\n${other}\nexport const kinds = [Other];` });
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a field with a class that is declared later is reported', async () => {
    project.write({
      'operators/lib/gauge-spec.ts': `import { Field } from 'kindwright';
        export class GaugeSpec { @Field() label!: Label }
        class Label { @Field() text!: string }`,
    });
    const { exitCode, stderr } = await load();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 78,
      stderr: [
        'error: operators/lib/gauge-spec.ts:2 GaugeSpec.label: has a class as type that is not defined yet',
        '  hint: move that class above this one, or @Field({ type: () => Class }) label\n',
      ].join('\n'),
    });
  });

  test('the loaded classes do not depend on locale, time zone and order of files', async () => {
    project.write({ 'operators/ILI.ts': OPERATOR.replaceAll('Gauge', 'ILI').replaceAll('ILISpec', 'GaugeSpec') });
    const written = async (env: NodeJS.ProcessEnv, ...files: string[]) => {
      const { exitCode, stderr } = await project.run('generate-manifests', ['--out', 'out', ...files], env);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const folder = join(project.folder, 'out');
      const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const texts = paths.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
      rmSync(folder, { recursive: true });
      return texts.sort();
    };
    const [first, second] = ['operators/gauge.ts', 'operators/ILI.ts'];
    const here = await written({ LC_ALL: 'C', TZ: 'UTC' }, first, second);
    expect(here.length).toBeGreaterThan(5);
    expect(await written({ LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' }, second, first)).toEqual(here);
  });

  test('the loader finds operators in the default folder, in TypeScript, and ignores other files', async () => {
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(crd()).toContain('kind: CustomResourceDefinition');
  });

  test('the loader reads doc comments, also of classes in other files', async () => {
    await load('operators/gauge.ts');
    expect(crd()).toMatch(
      /Gauge is the Schema for the gauges API[\s\S]*GaugeSpec describes what to show[\s\S]*Label is shown/,
    );
  });

  test('the loader finds ./x.ts for an import of ./x', async () => {
    project.write({ 'operators/gauge.ts': OPERATOR.replace('gauge-spec.js', 'gauge-spec') });
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each(['{ "type": "commonjs" }', '{}'])(
    'the loader accepts an ES module where package.json is %s',
    async (manifest) => {
      project.write({ 'package.json': manifest });
      expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  test('the loader loads JavaScript unchanged', async () => {
    const source = `import { CustomResource, Kind } from 'kindwright';
      export class Plain extends CustomResource { reconcile() {} }
      Kind({ group: 'demo.example.com', version: 'v1' })(Plain);`;
    project.write({ 'plain.js': source });
    expect(await load('plain.js')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a file without operators among several named files is a helper', async () => {
    const helper = `import { Field } from 'kindwright';\nexport class Part { @Field() name!: string; }`;
    project.write({ 'operators/part.ts': helper });
    expect(await load('operators/part.ts', 'operators/gauge.ts')).toMatchObject({ exitCode: 0, stderr: '' });
    const forgotten = `import { CustomResource } from 'kindwright';\nexport class Dial extends CustomResource {}`;
    project.write({ 'operators/part.ts': forgotten });
    const { stderr } = await load('operators/part.ts', 'operators/gauge.ts');
    expect(stderr).toMatch(/no operator in operators\/part\.ts[\s\S]*Dial[\s\S]*has no @Kind/);
  });

  test('a class that two files export is loaded once', async () => {
    project.write({ 'operators/again.ts': `export { Gauge } from './gauge.js';` });
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('the cache of compiled files', () => {
  test('the compile cache has no second entry for an unchanged file', async () => {
    await load();
    const [before] = [cached()];
    await load();
    expect(cached()).toEqual(before);
  });

  test('a second start reads the compile cache instead of compiling', async () => {
    const count = 'console.error(process.report.getReport().sharedObjects.some((path) => /swc|oxc/.test(path)));';
    project.write({ 'operators/gauge.ts': `${OPERATOR}\n${count}` });
    expect((await load()).stderr).toBe('true\n');
    expect((await load()).stderr).toBe('false\n');
  });

  describe('class-validator', () => {
    const RULES = `
import all, { Length, ValidationError, getMetadataStorage } from 'class-validator';
console.error(import.meta.resolve('class-validator'));
class Named { @Length(1) name = ''; }
const [error] = all.validateSync(new Named());
if (!(error instanceof ValidationError)) throw new Error('no ValidationError');
if (getMetadataStorage() !== globalThis.classValidatorMetadataStorage) throw new Error('other metadata');
`;

    test('an operator that imports it loads one file, with the names and metadata of the package', async () => {
      project.write({ 'operators/gauge.ts': RULES + OPERATOR });
      const { exitCode, stderr } = await load();
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: expect.stringMatching(/^file:.*\/dist\/packages\/class-validator-[\d.]+\.js\n$/),
      });
      const own = (await import('class-validator')) as object;
      const file = (await import(stderr.trim())) as object;
      const names = Object.keys(own).filter((name) => name !== 'module.exports' && !name.startsWith('__'));
      expect(Object.keys(file).sort()).toEqual(names.sort());
    });

    test('another version of it in the project is used as it is', async () => {
      const folder = join('node_modules', 'class-validator');
      rmSync(join(project.folder, folder));
      project.write({
        [join(folder, 'package.json')]: '{ "version": "9.9.9", "main": "./cjs/index.js" }',
        [join(folder, 'cjs', 'index.js')]: 'exports.Length = () => () => undefined;',
        'operators/gauge.ts': `import { Length } from 'class-validator';\nconsole.error(import.meta.resolve('class-validator'));\n${OPERATOR}`,
      });
      const { exitCode, stderr } = await load();
      expect(exitCode).toBe(0);
      expect(stderr).toBe(`file://${join(project.folder, folder, 'cjs', 'index.js')}\n`);
    });
  });

  test('a damaged entry of the compile cache is ignored', async () => {
    await load();
    for (const path of cached()) writeFileSync(path, 'throw new Error("damaged")');
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('what cannot be loaded', () => {
  const errorOf = async (source: string) => {
    project.write({ 'operators/gauge.ts': source });
    const { exitCode, stdout, stderr } = await load('operators/gauge.ts');
    expect({ exitCode, stdout }).toEqual({ exitCode: 78, stdout: '' });
    return stderr;
  };

  test('a syntax error is reported with its line', async () => {
    const stderr = await errorOf('export class A {\n  size = ;\n}\n');
    expect(stderr).toBe('error: operators/gauge.ts:2:10: Unexpected token\n  2 |   size = ;\n    |          ^\n');
  });

  test('an error that is thrown at load time is reported with its line', async () => {
    const stderr = await errorOf(
      'interface A { a: string }\n\nfunction f(a?: A): never {\n  throw new Error("boom");\n}\nf();',
    );
    expect(stderr).toBe(
      'error: operators/gauge.ts:4: boom\n    at f (operators/gauge.ts:4:9)\n    at <anonymous> (operators/gauge.ts:6:1)\n',
    );
  });

  test('a missing export is reported with the line of the import', async () => {
    const stderr = await errorOf(
      "const x: number = 1;\n\nimport { Labelled } from 'kindwright';\nconsole.log(Labelled, x);",
    );
    expect(stderr).toMatch(/^error: operators\/gauge\.ts:3: .*'Labelled'\n {2}hint: if Labelled is only a type/);
  });

  test('a missing package is reported with the command to install it', async () => {
    expect(await errorOf("import 'no-such-package';")).toMatch(/hint: npm install no-such-package\n$/);
  });

  test('a file without an operator is reported', async () => {
    expect(await errorOf('export const x = 1;')).toMatch(/^error: no operator in operators\/gauge\.ts\n {2}hint: /);
  });

  test('the classes of a file without an operator are listed with the reasons', async () => {
    const stderr = await errorOf(`
import { Controller, CustomResource, Field, Kind, ObjectController, type Namespace } from 'kindwright';

export class Gauge extends CustomResource {
  reconcile(): void {}
}

@Controller({ name: 'labels' })
export class Labels extends ObjectController<Namespace> {
  reconcile(): void {}
}

@Kind({ group: 'demo.example.com', version: 'v1' })
class Hidden extends CustomResource {}

export class Spec {
  @Field() size!: string;
}

export function create(): void {}
`);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'error: no operator in operators/gauge.ts',
      '  Gauge: has no @Kind({ group, version })',
      '  operators/gauge.ts:9 Labels: has no @Controller({ for })',
      '  operators/gauge.ts:16 Spec: extends neither CustomResource nor ObjectController, and has no @Admission',
      '  operators/gauge.ts:14 Hidden: is not exported; write: export class Hidden',
    ]);
  });

  test('a class with @Admission that is not exported is an error', async () => {
    const stderr = await errorOf(`
import { Admission, Pod, Validate } from 'kindwright';

@Admission(Pod, { objectSelector: { matchLabels: { team: 'a' } } })
class Pods {
  @Validate() check(): void {}
}
`);
    expect(stderr).toMatch(/^error: operators\/gauge\.ts:5: Pods is not exported, so it would not run\n/);
  });

  test('the stack of a load error is printed on request', async () => {
    project.write({ 'operators/gauge.ts': 'throw new Error("boom");' });
    expect((await load('-v')).stderr).toMatch(/^ +at .*operators\/gauge\.ts:1:7/m);
  });

  test('a default folder without files is an error that names it', async () => {
    const empty = new TemporaryProject();
    const { exitCode, stderr } = await empty.run('generate-manifests');
    empty.remove();
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('operators/**/*.ts') });
  });
});
