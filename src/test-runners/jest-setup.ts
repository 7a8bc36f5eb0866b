import { explainFailure } from '../testing/explain-failure.js';
import { testBegan } from '../testing/test-run.js';

/** A test of jest-circus. */
interface JestTest {
  readonly timeout?: number;
  /** Pairs of the thrown value and an error with a stack that leads to the test; one for each attempt. */
  readonly errors: [unknown, Error | undefined][];
}

/** The events of jest-circus that matter here. */
interface JestEvent {
  readonly name: string;
  readonly test?: JestTest;
  readonly error?: unknown;
}

type JestHandler = (event: JestEvent, state: { readonly testTimeout: number }) => void;

const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The event handlers of jest-circus, to which its own `addEventHandler` adds. Missing under other runners. */
const { [HANDLERS]: handlers } = globalThis as { [HANDLERS]?: JestHandler[] | undefined };

handlers?.push(({ name, test, error }, { testTimeout }) => {
  if (name === 'test_start') testBegan(test?.timeout ?? testTimeout);
  if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
  if (error instanceof Error) explainFailure(error);
  else if (typeof error === 'string' && test) explainText(error, test);
});

/** The runner reports its own limit as a string. */
function explainText(text: string, { errors }: JestTest): void {
  const entry = errors.findLast(([thrown]) => thrown === text);
  if (!entry) return;
  const error = new Error(text);
  error.stack = [String(error), ...(entry[1]?.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))].join(
    '\n',
  );
  entry[0] = explainFailure(error);
}
