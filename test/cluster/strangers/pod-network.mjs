/** Preloaded into the process of a pod: its servers listen on loopback, at the ports in POD_PORTS instead of its own. */
import { Server } from 'node:net';

const ports = JSON.parse(process.env.POD_PORTS);
const listen = Server.prototype.listen;

Server.prototype.listen = function (port) {
  return listen.call(this, ports[port] ?? port, '127.0.0.1');
};
