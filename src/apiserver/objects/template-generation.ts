/** The annotation with the internal template generation of a DaemonSet; 0 if missing. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
