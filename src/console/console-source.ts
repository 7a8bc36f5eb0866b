/** The source of the cause of a reconcile that a user of the console has requested. */
export const CONSOLE_SOURCE = 'console';
