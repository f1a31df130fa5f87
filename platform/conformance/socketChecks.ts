import { PING_INTERVAL_MS } from '#shared/limits.ts';
import { type ObservedSocket, describeClose } from './observedSocket.ts';
import { type Check, OK, type Outcome, type Subject, failed, notTested, shown } from './subject.ts';

const PINGS = 3;

/** The checks of a socket: its first frame, pings and closes (spec §3.2, §4.2, §5). */
export const socketChecks: readonly Check[] = [
  {
    id: 'snapshot',
    row: 'spec §6.1 row 1',
    checks: 'the first frame of a socket is the snapshot',
    runsWithoutSnapshot: true,
    run: ({ first, second }) => firstOutcome([first, second].map(snapshotFirst)),
  },
  {
    id: 'person',
    row: 'spec §2.6 person',
    checks: 'the snapshot has the name of the registration',
    run({ first, registeredName }) {
      if (registeredName === null) return notTested('the account was not registered by this test');
      const [frame] = first.frames;
      const person = frame?.update.kind === 'snapshot' ? frame.update.frame.person : undefined;
      return person === registeredName ? OK : failed('another name', 'the name of the registration');
    },
  },
  {
    id: 'pong',
    row: 'spec §3.2 row 1',
    checks: 'a ping is answered by a pong within a second',
    run: ({ first }) => pongInTime(first),
  },
  {
    id: 'unauthorized',
    row: 'spec §5.1',
    checks: 'the socket of an unknown account is closed with the reason `unauthorized`',
    runsWithoutSnapshot: true,
    async run({ open }) {
      const socket = await open(`unknown-${crypto.randomUUID()}`);
      await socket.until(() => socket.closed() !== null);
      const close = socket.closed();
      socket.terminate();
      return close?.reason === 'unauthorized'
        ? OK
        : failed(describeClose(close), 'an accepted upgrade, then a close with the reason `unauthorized`');
    },
  },
  {
    id: 'logout',
    row: 'spec §3.1 row 5',
    checks: 'a client that closes with the reason `logout` is answered, and signs out no other client',
    run: logOut,
  },
];

const firstOutcome = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.find(({ result }) => result !== 'ok') ?? OK;

function snapshotFirst(socket: ObservedSocket): Outcome {
  const [frame] = socket.frames;
  if (frame?.update.kind === 'snapshot') return OK;
  const close = socket.closed();
  const seen =
    frame === undefined
      ? close === null
        ? 'no frame'
        : describeClose(close)
      : `first: ${frame.update.kind}`;
  return failed(seen, 'the snapshot, before every other frame');
}

/** Pings several times: a busy machine may delay one answer. */
async function pongInTime(socket: ObservedSocket): Promise<Outcome> {
  const times: number[] = [];
  for (let sent = 0; sent < PINGS; sent++) {
    const ms = await socket.ping();
    if (ms !== null && ms <= PING_INTERVAL_MS) return OK;
    if (ms !== null) times.push(ms);
  }
  const seen = times.length === 0 ? 'no pong' : `a pong after ${Math.round(Math.min(...times))} ms`;
  return failed(seen, `a pong within ${PING_INTERVAL_MS} ms`);
}

async function logOut({ first, open }: Subject): Promise<Outcome> {
  const leaving = await open();
  if (leaving.closed() !== null)
    return failed(describeClose(leaving.closed()), 'a third socket of the account');
  const before = shown(first).messages.length;
  if (!(await leaving.end())) return failed('no close', 'the close is answered');
  const isAlive = (await first.ping()) !== null;
  if (isAlive && first.closed() === null && shown(first).messages.length >= before) return OK;
  return failed(`another client of the account: ${describeClose(first.closed())}`, 'the other clients stay');
}
