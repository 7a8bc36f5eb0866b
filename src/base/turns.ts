/** Runs a callback in a later turn of the event loop. `worker` names the loop that continues, such as a controller. */
export type Turns = (callback: () => void, worker: string) => void;

let turns: Turns = (callback) => {
  setImmediate(callback);
};

/** Runs `callback` in a later turn of the event loop. `worker` is empty for the part that runs now. */
export function inLaterTurn(worker: string, callback: () => void): void {
  turns(callback, worker);
}

/** Resolves in a later turn of the event loop. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    turns(resolve, '');
  });
}

/** Replaces the turns of this process; a simulation orders them by its seed. */
export function replaceTurns(replacement: Turns): void {
  turns = replacement;
}
