/** Exit codes of the commands, listed in their help. */
export const ExitCode = {
  ok: 0,
  /** The command failed: a request failed, the lease was lost, manifests are out of date. */
  failure: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The event loop was blocked for too long (EX_SOFTWARE of sysexits). */
  blocked: 70,
  /** The input is invalid: an operator, its annotations, the settings, a kubeconfig (EX_CONFIG of sysexits). */
  config: 78,
} as const;

/** 128 plus the number of the signal, by convention of shells. */
export const SIGNAL_EXIT_CODE = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
