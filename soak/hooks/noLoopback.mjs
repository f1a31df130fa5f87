/** A machine without 127.0.0.1: every attempt to listen fails. */
import net from 'node:net';

net.Server.prototype.listen = function listen() {
  const error = new Error('listen EADDRNOTAVAIL: address not available 127.0.0.1');
  process.nextTick(() =>
    this.emit('error', Object.assign(error, { code: 'EADDRNOTAVAIL', syscall: 'listen' })),
  );
  return this;
};
