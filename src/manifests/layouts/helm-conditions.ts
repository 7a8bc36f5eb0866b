/** Several replicas must not reconcile at the same time, even if the value disables leader election. */
export const LEADER_ELECTION = 'or .Values.leaderElection.enabled (gt (int .Values.replicas) 1)';
export const METRICS = '.Values.metrics.enabled';
export const METRICS_AUTH = `and ${METRICS} .Values.metrics.auth.enabled`;
/** False without the value, which a chart lacks if its arguments enable the console. */
export const CONSOLE = '(.Values.console).enabled';
/** The value exists only for operators with objects that can be read without webhooks. */
export const WEBHOOKS = '.Values.webhook.enabled';
