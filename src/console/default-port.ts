/** The next free port is used if it is taken. Browsers do not open 4190, which is a port of the Fetch standard's list. */
export const DEFAULT_PORT = 4191;
