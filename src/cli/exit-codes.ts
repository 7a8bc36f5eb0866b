/** What the commands exit with; listed in their help. */
export const ExitCode = {
  ok: 0,
  /** The work failed: the cluster refused, the lease was lost, manifests differ. */
  failure: 1,
  /** The command line is wrong. */
  usage: 2,
  /** What the command was given is wrong: an operator's code, its annotations, a kubeconfig (EX_CONFIG of sysexits). */
  config: 78,
} as const;

/** By convention of shells: 128 and the number of the signal. */
export const SIGNAL_EXIT_CODE = { SIGINT: 130, SIGTERM: 143 } as const;
