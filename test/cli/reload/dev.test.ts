import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, type KindRef, type KubeObject } from 'kindwright';
import type { Client } from '../../../src/client/client.js';
import { eventually } from '../../../src/testing/eventually.js';
import { StartedCommand } from '../started-command.js';
import { TemporaryProject } from '../temporary-project.js';

const TEXT = (version: string) => `export const version: string = '${version}';\n`;
const OPERATOR = `
import { ConfigMap, CustomResource, Field, Kind, Owns, Sample, type Context } from 'kindwright';
import { version } from './lib/text.js';

class GaugeSpec {
  @Field() label!: string;
}
class GaugeStatus {
  @Field({ optional: true }) version?: string;
  @Field({ optional: true }) label?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'sample', spec: { label: 'a' } })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  @Field() status!: GaugeStatus;

  async reconcile(ctx: Context): Promise<void> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { label: this.spec.label } });
    this.status.version = version;
    this.status.label = this.spec.label;
  }

  override async deleted(ctx: Context): Promise<void> {
    await ctx.client.create(ConfigMap, { metadata: { name: 'gone-' + this.metadata.name, namespace: 'default' } });
  }
}
`;

interface GaugeObject extends KubeObject {
  readonly spec: { readonly label: string };
  readonly status?: { readonly version?: string; readonly label?: string };
}

const GAUGE = {
  ...{ group: 'demo.example.com', version: 'v1', kind: 'Gauge', plural: 'gauges', scope: 'Namespaced' },
} as KindRef<GaugeObject>;
const COUNT = 20;

let project: TemporaryProject;
let command: StartedCommand;
let client: Client;

const start = async (): Promise<void> => {
  command = new StartedCommand(
    project.start('kindwright', ['dev', '--console=0', '--metrics-bind-address', '127.0.0.1:0']),
  );
  client = await command.client();
};

beforeAll(async () => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR, 'operators/lib/text.ts': TEXT('v0') });
  await start();
});
afterAll(async () => {
  await command.end();
  project.remove();
});

interface LogLine {
  readonly msg: string;
  readonly address?: string;
}

const lines = () =>
  command.stderr
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);
const messages = () => lines().map(({ msg }) => msg);
const logged = (text: string) => eventually(() => expect(messages().join('\n')).toContain(text));
const save = (text: string) => {
  project.write({ 'operators/gauge.ts': text });
};
const gauges = async () => (await client.list(GAUGE, { namespace: 'default' })).items;
const usedEverywhere = (version: string) =>
  eventually(async () => {
    const versions = new Set((await gauges()).map(({ status }) => status?.version));
    expect([...versions]).toEqual([version]);
  });
const create = (name: string) =>
  client.create(GAUGE, { metadata: { name, namespace: 'default' }, spec: { label: 'a' } });

/** The requests of the operator that read, lists and watches included. */
async function reads(): Promise<number> {
  const address = lines().find(({ msg }) => msg === 'Serving metrics')?.address ?? '';
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  const counts = [...metrics.matchAll(/^rest_client_requests_total\{[^}]*method="GET"[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('kindwright dev', () => {
  test('the samples are created, and a saved file is in use without a read of the cluster', async () => {
    await usedEverywhere('v0');
    expect(await gauges()).toHaveLength(1);
    const before = await reads();
    project.write({ 'operators/lib/text.ts': TEXT('v1') });
    await usedEverywhere('v1');
    expect(messages()).toContain('Reloaded Gauge');
    expect(await reads()).toBe(before);
  });

  test('20 changes under load lose no key and no deletion, and list nothing again', async () => {
    for (let index = 0; index < COUNT; index++) await create(`g${index}`);
    await usedEverywhere('v1');
    const before = await reads();
    const loading = new AbortController();
    const load = (async () => {
      for (let index = 0; !loading.signal.aborted; index++)
        await client.patch(
          GAUGE,
          `g${index % COUNT}`,
          { spec: { label: `l${index}` } },
          { namespace: 'default', type: 'merge' },
        );
    })();
    const doomed: string[] = [];
    for (let edit = 0; edit < 20; edit++) {
      const name = `doomed${edit}`;
      await create(name);
      doomed.push(name);
      project.write({ 'operators/lib/text.ts': TEXT(`load${edit}`) });
      const earlier = doomed[edit - 1];
      if (earlier !== undefined) await client.delete(GAUGE, earlier, { namespace: 'default' });
      await eventually(async () =>
        expect((await client.get(GAUGE, name, { namespace: 'default' })).status?.version).toBe(`load${edit}`),
      );
    }
    loading.abort();
    await load;
    await usedEverywhere('load19');
    await eventually(async () => {
      for (const { spec, status } of await gauges()) expect(status?.label).toBe(spec.label);
    });
    for (const name of doomed.slice(0, -1))
      await eventually(() => client.get(ConfigMap, `gone-${name}`, { namespace: 'default' }));
    expect(await reads()).toBe(before);
  });

  test.each([
    ['a syntax error', 'this..status', 'operators/gauge.ts:22:10: Unexpected token'],
    ['an error of the model', 'this.status', 'operators/gauge.ts:6 GaugeSpec.label'],
    ['a missing module', 'this.status', 'operators/gauge.ts:3: Cannot find module'],
  ])('after %s, the place is logged and the earlier code is used', async (name, status, place) => {
    let text = OPERATOR.replace('this.status.version', `${status}.version`);
    if (name.includes('model')) text = text.replace('label!: string', 'label!: number');
    if (name.includes('module')) text = text.replace('./lib/text.js', './lib/missing.js');
    const count = messages().length;
    save(text);
    await eventually(() => expect(messages().slice(count).join('\n')).toContain(place));
    await eventually(() =>
      expect(messages().slice(count)).toContain('The earlier code is used until the error is corrected'),
    );
    await client.patch(GAUGE, 'sample', { spec: { label: name } }, { namespace: 'default', type: 'merge' });
    await eventually(async () => {
      expect((await client.get(GAUGE, 'sample', { namespace: 'default' })).status?.label).toBe(name);
    });
    save(OPERATOR);
    await eventually(() => expect(messages().slice(count)).toContain('Reloaded Gauge'));
  });

  test('a changed schema is installed, and its effect is logged', async () => {
    save(OPERATOR.replace('label!: string;', 'label!: string;\n  @Field({ optional: true }) unit?: string;'));
    await logged('gauges.demo.example.com: safe: v1: .spec.unit');
    await eventually(async () => {
      const { spec } = await client.get(CustomResourceDefinition, 'gauges.demo.example.com');
      expect(JSON.stringify(spec)).toContain('"unit"');
    });
  });

  test('a kind that is watched now is listed before the new code runs', async () => {
    const text = OPERATOR.replaceAll('ConfigMap, CustomResource', 'ConfigMap, Secret, CustomResource')
      .replace('@Owns(ConfigMap)', '@Owns(ConfigMap)\n@Owns(Secret)')
      .replace('this.status.version = version;', 'this.status.version = String(ctx.list(Secret) instanceof Promise);');
    save(text);
    await logged('Gauge watches Secret');
    await usedEverywhere('true');
    save(OPERATOR);
    await logged('Gauge no longer watches Secret');
    await usedEverywhere('load19');
  });

  test('another class is added with its file, and removed with it', async () => {
    project.write({
      'operators/labels.ts': `
import { ConfigMap, Controller, ObjectController } from 'kindwright';
@Controller({ for: ConfigMap })
export class Labels extends ObjectController<ConfigMap> {
  reconcile(): void {}
}
`,
    });
    await logged('Added Labels');
    project.delete('operators/labels.ts');
    await logged('Removed Labels');
  });

  test('a class with onStart starts again, with the server and the console of before', async () => {
    save(
      OPERATOR.replace(
        '  async reconcile',
        "  static onStart(): void {\n    Gauge.prefix = 'started ';\n  }\n  static prefix = '';\n\n  async reconcile",
      ).replace('= version;', '= Gauge.prefix + version;'),
    );
    await logged('The operators start again: Gauge has onStart');
    await usedEverywhere('started load19');
    expect(command.stdout.match(/^Console: /gm)).toHaveLength(1);
  });

  test('the next process has the same port and kubeconfig', async () => {
    const path = await command.kubeconfig();
    const server = () => /server: .*/.exec(readFileSync(path, 'utf8'))?.[0];
    const before = server();
    await command.end();
    await start();
    expect([await command.kubeconfig(), server()]).toEqual([path, before]);
    expect(path).toBe(join(project.folder, 'node_modules', '.cache', 'kindwright', 'dev', 'kubeconfig'));
  });
});
