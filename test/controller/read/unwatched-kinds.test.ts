import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  byLabel,
  ConfigMap,
  Controller,
  CustomResource,
  Deployment,
  Kind,
  Node,
  Owns,
  Pod,
  Rbac,
  Secret,
  Service,
  Watches,
  type Context,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';

let behavior: (ctx: Context, self: Database) => Promise<unknown>;
let runs = 0;

@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({ baseDelay: 1, maxDelay: 5 })
@Owns(ConfigMap)
@Watches(Pod, byLabel('database'))
@Rbac(Node, 'list')
class Database extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    await behavior(ctx, this);
    runs += 1;
  }
}

const namespace = 'default';
let cluster: Cluster;
let logger: RecordingLogger;
beforeEach(async () => {
  runs = 0;
  logger = new RecordingLogger();
  cluster = await startCluster({ logger });
});
afterEach(() => cluster.stop());

/** Runs the behavior for two objects; returns the warnings. */
async function warningsOf(act: typeof behavior): Promise<unknown[]> {
  behavior = act;
  await cluster.run(Database);
  for (const name of ['a', 'b']) await cluster.create(Database, { metadata: { name, namespace } });
  await eventually(() => {
    if (runs < 2) throw new Error(String(logger));
  });
  return logger.lines
    .filter(({ level }) => level === 'warn')
    .map(({ message, fields }) => ({ message, hint: fields['hint'] }));
}

const OWNED = {
  message: 'Database owns Secret objects but does not watch them: a change of one does not reconcile its owner',
  hint: 'add @Owns(Secret) to Database',
};

describe('a controller that uses a kind without watching it', () => {
  test.each<[string, typeof behavior]>([
    ['apply', (ctx, { metadata }) => ctx.apply(Secret, { metadata: { name: metadata.name } })],
    ['create', (ctx, { metadata }) => ctx.create(Secret, { metadata: { name: metadata.name } })],
    ['update', async (ctx, self) => ctx.update(Secret, await owned(self), (draft) => (draft.stringData = { a: '1' }))],
    ['patch', async (ctx, self) => ctx.patch(Secret, (await owned(self)).metadata.name, { stringData: { a: '1' } })],
    ['delete', async (ctx, self) => ctx.delete(Secret, await owned(self))],
  ])('%s of an owned kind that is not watched causes one warning with the line to add', async (_, act) => {
    expect(await warningsOf(act)).toEqual([OWNED]);
  });

  test('reads of a kind that is not watched cause one warning', async () => {
    const warnings = await warningsOf(async (ctx) => {
      await ctx.get(Service, 'web');
      await ctx.list(Service);
    });
    expect(warnings).toEqual([
      {
        message: 'Database reads Service objects but does not watch them: a change of one does not lead to a reconcile',
        hint: expect.stringContaining(
          `add @Watches(Service, …) to Database, @Owns(Service) if it creates them, or @Rbac(Service, 'get')`,
        ),
      },
    ]);
  });

  test('declared and intended uses of a kind cause no warning', async () => {
    const warnings = await warningsOf(async (ctx, { metadata }) => {
      await ctx.apply(ConfigMap, { metadata: { name: metadata.name } });
      await ctx.list(Pod);
      await ctx.list(Node);
      await ctx.get(Database, 'a');
      await ctx.apply(Secret, { metadata: { name: metadata.name } }, { owned: false });
      await ctx.patch(Secret, metadata.name, { stringData: { a: '1' } });
    });
    expect(warnings).toEqual([]);
  });

  test('each kind that is not watched causes a warning', async () => {
    const warnings = await warningsOf(async (ctx, { metadata }) => {
      await ctx.get(Deployment, 'web');
      await ctx.create(Secret, { metadata: { name: metadata.name } });
    });
    expect(warnings).toMatchObject([{ message: expect.stringContaining('reads Deployment') }, OWNED]);
  });
});

/** A Secret that the object owns, written by somebody else. */
async function owned({ metadata, apiVersion, kind }: Database) {
  const { name, uid = '' } = metadata;
  const ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
  const desired = { metadata: { name: `of-${name}`, namespace, ownerReferences } };
  return cluster.client.apply(Secret, desired);
}
