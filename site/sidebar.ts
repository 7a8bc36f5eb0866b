/** A group of the sidebar; its links have no extension, and end with `/` for the README.md of a folder. */
export interface SidebarGroup {
  readonly text: string;
  readonly items: { text: string; link: string }[];
}

function group(text: string, pages: Readonly<Record<string, string>>): SidebarGroup {
  return { text, items: Object.entries(pages).map(([title, link]) => ({ text: title, link })) };
}

/** The pages, by what a reader wants. test/docs/site.test.ts compares them with docs/. */
export const sidebar: SidebarGroup[] = [
  group('Start', {
    'What do you want to do?': '/',
    'Getting started': '/getting-started',
    'Development and debugging': '/debugging',
    Examples: '/examples',
    Comparison: '/comparison',
  }),
  group('Concepts', {
    Reconcile: '/reconcile',
    Dependents: '/dependents',
    'Controllers of any kind': '/controllers',
    'Triggers and hot loops': '/triggers',
    Caches: '/cache',
    Reliability: '/reliability',
    Sharding: '/sharding',
    Permissions: '/permissions',
    Webhooks: '/webhooks',
    Versions: '/versions',
    'Feature gates': '/feature-gates',
    'Several clusters': '/clusters',
    'Embedded server': '/embedded-server',
  }),
  group('How-to', {
    'All recipes': '/how-to/',
    'Call an API with a rate limit': '/how-to/rate-limited-api',
    'Restart pods on a change of configuration': '/how-to/restart-on-config-change',
    'Adopt existing objects': '/how-to/adopt-existing-objects',
    'Pause an object': '/how-to/pause-an-object',
    'Create namespaces': '/how-to/namespaces-of-a-team',
    'Run a Job once': '/how-to/run-a-job-to-its-end',
    'Argo CD and Flux': '/how-to/gitops',
    OpenShift: '/how-to/openshift',
    'Debug in the cluster': '/how-to/debug-in-the-cluster',
    'Release a new version': '/how-to/upgrade',
    Testing: '/testing',
    Deployment: '/deployment',
    Operations: '/operations',
    Console: '/console',
    'Full API access': '/api-access',
    'A program with Manager': '/program',
    'Client and caches': '/client',
  }),
  group('Troubleshooting', { Symptoms: '/troubleshooting', 'Error codes': '/errors' }),
  group('Reference', { Decorators: '/decorators', 'Command line': '/cli', Decisions: '/decisions/' }),
  group('Coming from', { 'client-node': '/client-node', 'The Go articles': '/following-the-articles' }),
];
