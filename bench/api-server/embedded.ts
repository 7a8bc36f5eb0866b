// The embedded server alone in a process of its own, until standard input ends; prints the path of its kubeconfig.
// Usage: node bench/api-server/embedded.ts [--data-dir FOLDER]
import { parseArgs } from 'node:util';
import type * as built from '../../src/apiserver/embedded-api-server.js';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
const { 'data-dir': dataDir } = values;

const module = new URL('../../dist/apiserver/embedded-api-server.js', import.meta.url).href;
const { EmbeddedApiServer } = (await import(module)) as typeof built;
const server = await EmbeddedApiServer.start({ withoutControllers: true, ...(dataDir !== undefined && { dataDir }) });
console.log(server.kubeconfig);
process.stdin.resume().on('end', () => void server.stop().then(() => process.exit()));
