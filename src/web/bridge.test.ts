import { describe, expect, it } from 'vitest';
import { Outbox, encode, encodeWith, readFromHost, readFromPage } from './bridge.ts';

/** What arrives when these arguments are sent. */
function sent(...args: unknown[]): unknown {
  return readFromPage(`[${encodeWith(['send', 'c'], args)}]`)[0]?.[2];
}

describe('a value sent', () => {
  it('of each kind that the structured clone takes, arrives as it was', () => {
    const args = [
      undefined,
      null,
      -0,
      12n,
      new Date(5),
      new Map([['a', new Set([1])]]),
      /x/g,
      new Uint8Array([1, 2]),
      new Uint8Array([3, 4]).buffer,
      { nested: [{ deep: undefined }] },
    ];
    expect(sent(...args)).toEqual(args);
  });

  it('that holds itself, arrives holding itself', () => {
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    const [arrived] = [sent(ring)].flat();
    expect(arrived).toHaveProperty('self.self.self');
  });

  it('that is an error, arrives as one', () => {
    const [error] = [sent(new RangeError('too far'))].flat();
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'RangeError', message: 'too far' });
  });

  it('that is an instance of a class, arrives plain', () => {
    class Point {
      x = 1;
    }
    expect(sent(new Point())).toStrictEqual([{ x: 1 }]);
  });

  it.each([
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a promise', Promise.resolve()],
    ['an object with a function', { deep: [() => {}] }],
  ])('that is %s, is refused in the words of Electron', (_what, value) => {
    expect(() => sent(value)).toThrow('An object could not be cloned.');
  });

  it('and changed afterwards, arrives as it was when it was sent', () => {
    const list = [1];
    const message = encodeWith(['send', 'c'], [list]);
    list.push(2);
    expect(readFromHost(`[${message}]`)).toEqual([['send', 'c', [[1]]]]);
  });
});

describe('a frame', () => {
  it.each([
    ['', /JSON/],
    ['{}', /invalid/i],
    ['[["nonsense"]]', /invalid/i],
    ['[["send",1,[[]]]]', /invalid/i],
    ['[["send","c",[{}]]]', /list of arguments/],
    ['[["send","c","x"]]', /value of the bridge/],
  ])('that no page sends (%s), is an error', (frame, message) => {
    expect(() => readFromPage(frame)).toThrow(message);
  });
});

/** An outbox whose turns the test takes. */
function outbox() {
  const frames: string[] = [];
  const tasks: (() => void)[] = [];
  const socket = { open: true };
  const box = new Outbox({
    isOpen: () => socket.open,
    send: (frame) => frames.push(frame),
    soon: (task) => tasks.push(task),
  });
  return { box, frames, socket, turn: () => tasks.splice(0).forEach((task) => task()) };
}

describe('the outbox', () => {
  it('given much at one go, sends one frame in the order given', () => {
    const { box, frames, turn } = outbox();
    for (const id of [1, 2, 3]) box.add(encode(['dismiss', id]));
    expect(frames).toEqual([]);
    turn();
    expect(frames.map((frame) => readFromHost(frame))).toEqual([
      [
        ['dismiss', 1],
        ['dismiss', 2],
        ['dismiss', 3],
      ],
    ]);
  });

  it('while the socket is closed, keeps what it is given until it is told to flush', () => {
    const { box, frames, socket, turn } = outbox();
    socket.open = false;
    box.add(encode(['dismiss', 1]));
    turn();
    expect(frames).toEqual([]);
    socket.open = true;
    box.flush();
    expect(frames).toEqual(['[["dismiss",1]]']);
  });

  it('given more than a frame should hold, sends it at once', () => {
    const { box, frames } = outbox();
    box.add(encodeWith(['send', 'c'], ['x'.repeat(2 ** 21)]));
    expect(frames).toHaveLength(1);
  });
});
