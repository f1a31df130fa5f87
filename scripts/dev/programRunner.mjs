import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs a program and restarts it. Passes its output on, except for the ready line. */
export class ProgramRunner {
  #command;
  #ready;
  #env;
  #onReady;
  #child;
  #restarting = Promise.resolve();
  #isClosed = false;

  /**
   * @param {{ command: string[], ready: RegExp, env: Record<string, string> }} program
   * @param {(invitation: string) => void} onReady called at each start with the address that the program prints
   */
  constructor({ command, ready, env }, onReady) {
    this.#command = command;
    this.#ready = ready;
    this.#env = env;
    this.#onReady = onReady;
  }

  #start() {
    if (this.#isClosed) return;
    const child = spawn(process.execPath, this.#command, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...this.#env },
    });
    this.#child = child;
    child.once('exit', (status) => {
      if (this.#child === child)
        process.stderr.write(`The program ended (${status}); a change of its source starts it again.\n`);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, invitation] = this.#ready.exec(line) ?? [];
      if (invitation === undefined) process.stdout.write(`${line}\n`);
      else this.#onReady(invitation);
    });
  }

  /** Starts or restarts the program. A restart waits for its end, because the next one needs its port and data folder. */
  restart() {
    const previous = this.#restarting;
    this.#restarting = (async () => {
      await previous;
      await this.#stop();
      this.#start();
    })();
    return this.#restarting;
  }

  /** Ends the program for good. The signal is sent before this returns, so that it works in an `exit` listener. */
  close() {
    this.#isClosed = true;
    return this.#stop();
  }

  async #stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
