import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { PASSWORD, fakeAuthenticator } from '../testing/fakeHelper.ts';
import { fakeHelper } from '../testing/fakeHelper.ts';
import { MAX_CALLS } from './helperProtocol.ts';
import { serveHelper } from './serveHelper.ts';

/** More than the buffers of a socket hold, as calls and as answers. */
const CALLS = 40_000;

/** A peer of the helper, and the helper's end of their connection. */
async function scene() {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-serve-'));
  const path = join(folder, 'helper.sock');
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const server: Server = createServer().listen(path);
  const peer: Socket = connect(path);
  const [end]: Socket[] = await once(server, 'connection');
  if (end === undefined) throw new Error('there is no connection');
  const closed = vi.fn<(detail: string) => void>();
  serveHelper(end, helper, closed);
  onTestFinished(() => {
    peer.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { authenticator, helper, peer, end, closed };
}

describe('serveHelper with a peer that is too fast', () => {
  test('reads no more calls while the answers are not read, and answers all calls later', async () => {
    const { helper, peer, end, closed } = await scene();
    peer.write('{"id":1,"call":"checkAccount","account":"ada"}\n'.repeat(CALLS));
    await vi.waitFor(() => expect(end.isPaused()).toBe(true), POLLING);
    const read = helper.checked.length;
    expect(read).toBeLessThan(CALLS / 2);
    expect(end.writableLength).toBeLessThan(1_000_000);
    let answers = 0;
    createInterface(peer).on('line', () => answers++);
    await vi.waitFor(() => expect(answers).toBe(CALLS), { timeout: 20_000 });
    expect(closed).not.toHaveBeenCalled();
  });

  test('reads no more calls while the most calls are in progress', async () => {
    const { authenticator, peer, end } = await scene();
    authenticator.hold();
    const call = `{"id":1,"call":"authenticate","username":"ada","password":"${PASSWORD}"}\n`;
    peer.write(call.repeat(4 * MAX_CALLS));
    await vi.waitFor(() => expect(end.isPaused()).toBe(true), POLLING);
    // At most one more chunk of the socket, of 64 KiB, had arrived.
    expect(authenticator.asked.length).toBeLessThanOrEqual(MAX_CALLS + 65_536 / call.length);
    let answers = 0;
    createInterface(peer).on('line', () => answers++);
    authenticator.release();
    await vi.waitFor(() => expect(answers).toBe(4 * MAX_CALLS), { timeout: 20_000 });
  });
});
