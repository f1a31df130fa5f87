import type { Duplex } from 'node:stream';
import { createLineChannel } from './lineChannel.ts';
import { type Helper, type HelperCall, MAX_CALLS, MAX_LINE_BYTES, helperCall } from './helperProtocol.ts';

/**
 * Answers the calls that arrive on a stream, several at once. A peer that breaks the protocol is disconnected; its calls in
 * progress are completed. While a peer does not read its answers, or has `MAX_CALLS` in progress, no further calls are read,
 * so that it cannot fill the memory of the helper.
 * @param onClose called with the reason when the stream has closed.
 */
export function serveHelper(stream: Duplex, helper: Helper, onClose: (detail: string) => void): void {
  let inProgress = 0;
  const channel = createLineChannel({ stream, maxBytes: MAX_LINE_BYTES, onValue: receive, onClose });

  stream.on('drain', pauseOrResume);

  function receive(value: unknown): void {
    const call = helperCall.parse(value);
    inProgress++;
    pauseOrResume();
    void answer(call).finally(() => {
      inProgress--;
      pauseOrResume();
    });
  }

  function pauseOrResume(): void {
    if (inProgress >= MAX_CALLS || stream.writableNeedDrain) stream.pause();
    else stream.resume();
  }

  async function answer(call: HelperCall): Promise<void> {
    const { id } = call;
    try {
      channel.send({ id, result: await resultOf(call, helper) });
    } catch (error) {
      // The message of an error may contain input.
      channel.send({ id, error: error instanceof Error ? error.name : 'Error' });
    }
  }
}

function resultOf(call: HelperCall, helper: Helper): Promise<unknown> {
  if (call.call === 'authenticate') {
    return helper.authenticate({ username: call.username, password: call.password });
  }
  if (call.call === 'checkAccount') return helper.checkAccount(call.account);
  if (call.call === 'isAdministrator') return helper.isAdministrator(call.account);
  if (call.call === 'accountGroups') return helper.accountGroups(call.account);
  if (call.call === 'cancelWaiting') return helper.cancelWaiting().then(() => null);
  const { account, username, password } = call;
  return helper.createUser({ account, username, password });
}
