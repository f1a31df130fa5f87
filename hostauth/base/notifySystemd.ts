import { spawn } from 'node:child_process';

const SYSTEMD_NOTIFY = '/usr/bin/systemd-notify';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tells systemd that the program is ready, and from then on that it runs: twice in each `WatchdogSec`, by a timer of the
 * event loop, so that a program that hangs is ended. Node has no Unix datagram sockets, so systemd-notify sends it: the
 * unit needs `NotifyAccess=all`. Without `NOTIFY_SOCKET` it does nothing.
 */
export function notifySystemd(env: Environment, run: (args: readonly string[]) => void = notify(env)): void {
  if (!env['NOTIFY_SOCKET']) return;
  run(['--ready']);
  const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000;
  if (watchdogMs > 0) setInterval(() => run(['WATCHDOG=1']), watchdogMs / 2).unref();
}

/** Sends a message by systemd-notify, in a few milliseconds. When it fails, systemd's own timeouts apply. */
const notify =
  ({ NOTIFY_SOCKET }: Environment) =>
  (args: readonly string[]): void => {
    spawn(SYSTEMD_NOTIFY, args, { env: { NOTIFY_SOCKET }, stdio: 'ignore' }).on('error', () => undefined);
  };
