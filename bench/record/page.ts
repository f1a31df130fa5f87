import { createRecorder } from '#replay/record.ts';

/**
 * The page that is measured: a list of the latest messages, which a WebSocket feeds. `?with=recorder` records its frames, `?with=rrweb` its elements.
 */

interface Message {
  readonly id: string;
  readonly author: { readonly name: string; readonly status: string };
  readonly text: string;
  readonly unread: number;
}

const SHOWN = 50;

const list = document.body.appendChild(document.createElement('ul'));
const counter = document.body.appendChild(document.createElement('p'));

function show({ id, author, text, unread }: Message): void {
  const row = document.createElement('li');
  row.id = id;
  row.className = author.status;
  const name = row.appendChild(document.createElement('b'));
  name.textContent = author.name;
  row.append(text);
  list.append(row);
  if (list.children.length > SHOWN) list.firstElementChild?.remove();
  counter.textContent = `${unread} unread`;
}

const receive = ({ data }: MessageEvent<string>): void => show(JSON.parse(data));

const newRecorder = () => createRecorder({ app: 'bench', clear: ['type', 'status'] });

/** A socket without a network. */
class LocalSocket extends EventTarget {
  readonly readyState = 1;
  readonly url = '';
  send(): void {}
}

/** Returns how long the recorder works for a message, in microseconds: the median of several loops. */
function measureMessage(data: string): number {
  const MESSAGES = 2000;
  const timeOf = (socket: EventTarget): number => {
    const start = performance.now();
    for (let i = 0; i < MESSAGES; i++) socket.dispatchEvent(new MessageEvent('message', { data }));
    return ((performance.now() - start) * 1000) / MESSAGES;
  };
  const times = Array.from({ length: 9 }, () => {
    const recorded = new (newRecorder().webSocket(LocalSocket))();
    return timeOf(recorded) - timeOf(new LocalSocket());
  });
  return times.toSorted((a, b) => a - b)[4] ?? Number.NaN;
}

const kind = new URLSearchParams(location.search).get('with');
const recorder = newRecorder();
const events: unknown[] = [];
if (kind === 'rrweb')
  Reflect.get(globalThis, 'rrweb').record({ emit: (event: unknown) => events.push(event) });
const Socket = kind === 'recorder' ? recorder.webSocket(WebSocket) : WebSocket;
const socket = new Socket(`ws://${location.host}/`);
socket.addEventListener('message', receive);

/** Returns how much was recorded, in characters. */
const measureRecorded = (): number =>
  kind === 'recorder' ? recorder.save().length : JSON.stringify(events).length;

Object.assign(globalThis, { measureMessage, measureRecorded });
