import { beforeEach } from 'vitest';
import { explainFailure } from '../testing/explain-failure.js';
import { testBegan } from '../testing/test-run.js';

beforeEach(({ task, onTestFailed }) => {
  testBegan(task.timeout);
  onTestFailed(() => {
    for (const error of task.result?.errors ?? []) explainFailure(error as Error);
  });
});
