import type { Fault } from './fault.js';

const SOON_MS = 100;
/** Virtual time without a change after which the others are quiet. */
const LATER_MS = 30_000;

/** P1: the process of the operator dies. */
export const crash: Fault = {
  name: 'crash',
  words: 'kills the operator without a chance to clean up; it restarts at once, later, or after the next step of the user',
  points: ['committed', 'sent', 'answered', 'told', 'reconcile begins', 'reconcile ends', 'step'],
  variants: [{ restart: 'now' }, { restart: 'later' }, { restart: 'step' }],
  begin: (run, { process }, { restart = 'now' }) => {
    const name = process?.name ?? run.replicas[0] ?? '';
    run.crash(name, restart === 'now' ? SOON_MS : undefined);
    if (restart === 'now') return undefined;
    if (restart === 'step') {
      run.afterNextStep(() => {
        run.restart(name);
      });
    } else
      void run.quietUser(LATER_MS).then(() => {
        run.restart(name);
      });
    return {
      isOver: () => run.isAlive(name) || restart === 'step',
      end: () => undefined,
    };
  },
};
