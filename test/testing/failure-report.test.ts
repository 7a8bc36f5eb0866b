import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Field, Kind, Owns, type Context } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { explainFailure } from '../../src/testing/explain-failure.js';
import { failureReport } from '../../src/testing/failure-report.js';
import { testBegan, testRun } from '../../src/testing/test-run.js';

class NoteSpec {
  @Field({ type: String, optional: true }) text?: string;
}
class NoteStatus {
  @Field({ type: 'integer' }) length = 0;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(ConfigMap)
class Note extends CustomResource {
  @Field() spec!: NoteSpec;
  @Field({ optional: true }) status!: NoteStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { text } = this.spec;
    if (text === undefined) throw new TypeError('there is no text');
    if (text === 'slow') await released;
    await ctx.get(ConfigMap, 'missing');
    ctx.event('Normal', 'Written', 'the note is written');
    ctx.log.warn('Low on paper', { sheets: 3 });
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { text } });
    this.status.length = text.length;
  }
}

let release = (): void => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});

let cluster: Cluster;
let namespace: string;
const logger = new RecordingLogger();
beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded', nodes: 0, logger });
  await cluster.run(Note);
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  namespace = await cluster.namespace();
  testBegan(60_000);
});

const create = (name: string, text?: string) =>
  cluster.create(Note, { metadata: { name, namespace }, spec: { ...(text !== undefined && { text }) } });
/** The report as soon as it matches. The wait itself is not part of it. */
const reported = (pattern: RegExp) =>
  eventually(() => {
    const report = failureReport({ ...testRun(), waits: new Set() });
    expect(report).toMatch(pattern);
    return report;
  });

describe('the report of a failing test', () => {
  test('the report has each error of the operators once, with its number and the line of the user', async () => {
    await create('empty');
    const report = await reported(new RegExp(`${namespace}/empty: TypeError.*\\(\\d+ times\\)`));
    expect(report).toContain('Errors of the operators since the test began:\n');
    expect(report).toContain(`  note ${namespace}/empty: TypeError: there is no text (`);
    expect(report).toMatch(/TypeError.*\n {6}test\/testing\/failure-report\.test\.ts:\d+:\d+\n/);
    expect(report.match(/Errors of the operators/g)).toHaveLength(1);
  });

  test('the report joins consecutive failures to one entry of the timeline, with the time of the next attempt', async () => {
    await create('empty');
    expect(await reported(new RegExp(`${namespace}/empty: failed.*, \\d+ times until`))).toMatch(
      / ms {2}note \S+\/empty: failed: TypeError: there is no text, \d+ times until \d+ ms, next in \d+ ms; cause: retry after error, attempt 2/,
    );
  });

  test('the report has the causes, writes, events, failed reads and status of a reconcile', async () => {
    await create('full', 'hello');
    const report = await reported(/status Note.*\}/);
    expect(report).toMatch(
      new RegExp(
        ` ms {2}note ${namespace}/full: done; cause: Note add ${namespace}/full\n` +
          ` +get ConfigMap ${namespace}/missing: not found\n` +
          ` +event Normal Written: the note is written\n` +
          ` +apply ConfigMap ${namespace}/full: ok\n` +
          ` +status Note ${namespace}/full: {"length":5}`,
      ),
    );
    expect(report).not.toContain(`${namespace}/full: TypeError`);
  });

  test('the report has warnings of operators, and omits the log lines of errors it contains', async () => {
    await create('full', 'hello');
    await create('empty');
    const report = await reported(/Low on paper[\s\S]*empty: failed/);
    expect(report).toMatch(/logged since the test began:\n {2}warn {2}Low on paper controller=note .*sheets=3\n/);
    expect(report).not.toContain('Reconciler error');
    expect(logger.messages('warn')).toContain('Low on paper');
  });

  test('the report shows a reconcile that has not ended', async () => {
    await create('hanging', 'slow');
    expect(await reported(/hanging/)).toMatch(/hanging: still running; cause/);
    release();
  });

  test('the report contains nothing from before the test, and is empty when nothing was done', async () => {
    await create('full', 'hello');
    await reported(/status Note/);
    await cluster.client.delete(Note, 'empty', { namespace }).catch(() => undefined);
    testBegan(60_000);
    expect(failureReport()).not.toContain(`${namespace}/full: done; cause: Note add`);
  });

  test('the report has the last error of a running eventually when the limit of the runner is reached', async () => {
    const reports: string[] = [];
    const attempt = () => {
      reports.push(failureReport());
      throw new Error('two\nlines');
    };
    await expect(eventually(attempt, { timeout: '20ms' })).rejects.toThrow('two');
    expect(reports[0]).not.toContain('A call of eventually');
    expect(reports[1]).toMatch(
      /^A call of eventually has failed \(attempts: 1\), last with:\n {2}Error: two\n {2}lines/,
    );
  });

  test('the report is added to an error once', async () => {
    await create('empty');
    await reported(/empty: failed/);
    const error = explainFailure(explainFailure(new Error('wrong')));
    expect(error.message).toMatch(/^wrong\n\n/);
    expect(error.message.match(/Reconciles since/g)).toHaveLength(1);
  });
});

describe('a stopped cluster', () => {
  test('a stopped cluster is part of the report until the next test begins', async () => {
    const before = testRun().histories.size;
    const other = await startCluster({ server: 'embedded', nodes: 0 });
    await other.stop();
    expect(testRun().histories.size).toBe(before + 1);
    testBegan(60_000);
    expect(testRun().histories.size).toBe(before);
  });
});
