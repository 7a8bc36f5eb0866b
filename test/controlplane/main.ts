// Starts a control plane by hand: `npm run controlplane [-- --dir DIR] [--nodes N] [--audit]`. Runs until Ctrl-C.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { ControlPlane } from './control-plane.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    nodes: { type: 'string', default: '2' },
    audit: { type: 'boolean', default: false },
  },
});

const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const start = performance.now();
const { dir, nodes, audit } = values;
const controlPlane = await ControlPlane.start({ nodes: Number(nodes), audit, ...(dir !== undefined && { dir }) });
console.error(`ready in ${((performance.now() - start) / 1000).toFixed(1)} s; data and logs in ${controlPlane.dir}`);
console.error(`kubectl is ${controlPlane.binaries.kubectl}; Ctrl-C ends it all`);
console.log(`KUBECONFIG=${controlPlane.kubeconfig}`);
const idle = setInterval(() => undefined, 2 ** 30);
await stopped;
clearInterval(idle);
await controlPlane.stop();
