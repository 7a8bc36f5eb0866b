/** Where the internal template generation of a DaemonSet shows; 0 of what has none yet. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
