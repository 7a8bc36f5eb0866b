import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject, type CommandName } from './temporary-project.js';

/** A kind with a version that is converted, and a method that changes objects. */
const CONVERTED = `
import { ConvertsTo, CustomResource, Field, Kind, move, Mutate, Sample } from 'kindwright';

class DialSpec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
}

class OldDialSpec {
  @Field({ format: 'int32' }) count!: number;
  @Field({ optional: true }) zone?: string;
}

class DialStatus {
  @Field({ format: 'int32' }) shown!: number;
}

@Kind({ group: 'demo.example.com', version: 'v2', kind: 'Dial', storage: true })
export class Dial extends CustomResource {
  @Field() spec!: DialSpec;
  @Field() status!: DialStatus;
  @Mutate() fill(): void {
    this.spec.zone ??= 'north';
  }
  reconcile(): void {
    this.status.shown = this.spec.size;
  }
}

@Kind({ group: 'demo.example.com', version: 'v1', kind: 'Dial' })
@ConvertsTo(Dial, [move('spec.count', 'spec.size')])
@Sample({ name: 'first', spec: { count: 3 } })
export abstract class DialV1 extends CustomResource {
  @Field() spec!: OldDialSpec;
  @Field() status!: DialStatus;
}
`;

let project: TemporaryProject;
let command: StartedCommand | undefined;
beforeEach(() => {
  project = new TemporaryProject();
});
afterEach(async () => {
  await command?.end();
  project.remove();
});

function start(name: CommandName, args: readonly string[], operator: string): StartedCommand {
  project.write({ 'operators/dial.ts': operator });
  command = new StartedCommand(project.start(name, args));
  return command;
}

test('run-operator --embedded prints the kubeconfig when objects are converted and reviewed (W22)', async () => {
  const operator = start('run-operator', ['--embedded'], CONVERTED);
  const client = await operator.client();
  const version = (name: string): KindRef<UnstructuredObject> => ({
    group: 'demo.example.com',
    version: name,
    kind: 'Dial',
    scope: 'Namespaced',
    plural: 'dials',
  });
  await client.create(version('v1'), { metadata: { name: 'example', namespace: 'default' }, spec: { count: 3 } });
  const dial = await client.get(version('v2'), 'example', { namespace: 'default' });
  expect(dial['spec']).toEqual({ size: 3, zone: 'north' });
  await eventually(() => expect(operator.stderr).toContain('"Registered webhooks"'));
});

test.each([
  ['and review', CONVERTED],
  ['without webhooks', CONVERTED.replace('@Mutate() ', '').replace('Mutate, ', '')],
])('kindwright demo creates samples when the operators convert objects, %s (W22)', async (_, source) => {
  await start('kindwright', ['demo'], source).printed(/^Dial first: shown: 3$/m);
});
