/** Makes each attempt to listen fail, as on a machine without 127.0.0.1. */
import net from 'node:net';

net.Server.prototype.listen = function listen() {
  const error = new Error('listen EADDRNOTAVAIL: address not available 127.0.0.1');
  process.nextTick(() =>
    this.emit('error', Object.assign(error, { code: 'EADDRNOTAVAIL', syscall: 'listen' })),
  );
  return this;
};
