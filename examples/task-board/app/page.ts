import { configureStore } from '@reduxjs/toolkit';
import { boardReducer } from './board.ts';
import { type BoardView, boardView } from './boardView.ts';
import { decodeFrame } from './decodeFrame.ts';

/** The page: a store that the frames of a WebSocket feed, drawn at each change. */

const store = configureStore({ reducer: boardReducer });

const given = new URLSearchParams(location.search);
const socket = new WebSocket(given.get('socket') ?? `ws://${location.host}/socket`);
const send = (command: object): void => socket.send(JSON.stringify(command));

socket.addEventListener('open', () => {
  store.dispatch({ type: 'connection/opened' });
  send({ type: 'hello', name: given.get('name') ?? 'Guest' });
});
socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
  const decoded = decodeFrame(data);
  if ('update' in decoded) store.dispatch(decoded.update);
});
socket.addEventListener('close', ({ code, reason }) =>
  store.dispatch({ type: 'connection/closed', payload: { code, reason } }),
);

/** Creates an element with a text and children. */
function element(tag: string, text = '', ...children: readonly Node[]): HTMLElement {
  const created = document.createElement(tag);
  created.textContent = text;
  created.append(...children);
  return created;
}

function button(label: string, onPress: () => void): HTMLElement {
  const created = element('button', label);
  created.addEventListener('click', onPress);
  return created;
}

function draw({ title, status, columns }: BoardView): void {
  document.title = title;
  const drawn = columns.map(({ id, heading, cards }, index) => {
    const next = columns[index + 1]?.id;
    const items = cards.map((card) =>
      element(
        'li',
        card.label,
        ...(next === undefined ? [] : [button('→', () => send({ type: 'move', id: card.id, column: next }))]),
        button('×', () => send({ type: 'remove', id: card.id })),
      ),
    );
    const add = button('Add a card', () => {
      const name = prompt('Title');
      if (name !== null && name !== '') send({ type: 'add', column: id, title: name });
    });
    return element('section', '', element('h2', heading), element('ul', '', ...items), add);
  });
  document.body.replaceChildren(element('p', status), element('main', '', ...drawn));
}

store.subscribe(() => draw(boardView(store.getState())));
draw(boardView(store.getState()));
