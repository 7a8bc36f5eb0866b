const numberFrom = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** For how long nothing may be written after a row has converged. A nightly run uses 60,000. */
export const QUIET_MS = numberFrom('FAULT_QUIET_MS', 1_500);

/** How many rows run at the same time. Most of them wait most of the time. */
export const PARALLEL = numberFrom('FAULT_PARALLEL', 12);

/** The time limit of one row. */
export const ROW_LIMIT_MS = numberFrom('FAULT_ROW_LIMIT_MS', 240_000);
