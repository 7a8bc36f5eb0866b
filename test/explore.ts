/** A system under test whose next steps are chosen by `explore`. */
export interface Model {
  /** The steps that are possible now. None: the system is at rest. */
  actions(): readonly string[];
  /** Takes one step; throws if it violates an invariant. */
  run(action: string): void | Promise<void>;
  /** Called at rest; throws if an invariant does not hold. */
  assertEnd(): void;
  /** Everything that later steps depend on. States with the same text are explored once. */
  state(): string;
}

/** What was explored. */
export interface Exploration {
  readonly states: number;
  readonly ends: number;
}

/**
 * Runs a system through all interleavings of its steps, each state once. A violation throws an error whose message
 * contains the steps that lead to it.
 */
export async function explore(create: () => Model): Promise<Exploration> {
  const visited = new Set<string>();
  const paths: string[][] = [[]];
  let ends = 0;
  for (let path = paths.pop(); path; path = paths.pop()) {
    const taken = [...path];
    try {
      const model = await replayed(create, path);
      for (;;) {
        const state = model.state();
        if (visited.has(state)) break;
        visited.add(state);
        const [next, ...others] = model.actions();
        if (next === undefined) {
          model.assertEnd();
          ends++;
          break;
        }
        for (const other of others) paths.push([...taken, other]);
        taken.push(next);
        await model.run(next);
      }
    } catch (error) {
      throw new Error(`after ${taken.join(', ')}: ${(error as Error).message}`, { cause: error });
    }
  }
  return { states: visited.size, ends };
}

async function replayed(create: () => Model, path: readonly string[]): Promise<Model> {
  const model = create();
  for (const action of path) await model.run(action);
  return model;
}
