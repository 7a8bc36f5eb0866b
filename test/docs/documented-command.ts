import { expect } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import type { CommandStep } from './page-steps.js';

/** A reader who enters a command too early enters it again; the longest one installs packages. */
const PATIENCE = { timeout: '180s' };

export interface CommandResult {
  readonly status: number;
  readonly output: string;
}

/** Runs a command of a page, again until it leads to the output that the page shows. */
export async function performCommand(
  { place, command, output }: CommandStep,
  run: (command: string) => Promise<CommandResult>,
): Promise<void> {
  const isError = /^(?:The .* is invalid|error:|Error from server)/m.test(output ?? '');
  await eventually(async () => {
    const result = await run(command);
    if (!command.startsWith('kill ') && (result.status !== 0) !== isError)
      throw new Error(`${place}: ${command} exits with ${String(result.status)}:\n${result.output}`);
    if (output !== undefined) expect(`${place}: ${result.output.trim()}`).toMatch(patternOf(place, output));
  }, PATIENCE);
}

/** `…` stands for anything. Without it at an end, the output has nothing before or after. */
function patternOf(place: string, output: string): RegExp {
  const escaped = output.split('…').map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${place}: ${escaped.join('[^]*')}$`);
}
