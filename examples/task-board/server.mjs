/**
 * The server of the task board: the board, its page, and a WebSocket for each person.
 *
 *   node examples/task-board/server.mjs [port]
 *
 * Prints `Task board at http://127.0.0.1:4400/`. Ends with SIGINT or SIGTERM.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { WebSocketServer } from 'ws';

const STYLE =
  'main{display:flex;gap:2rem}section{min-width:12rem}li{margin:.3rem 0}button{margin-left:.4rem}';
const HTML = `<!doctype html><meta charset="utf-8"><title>Task board</title><style>${STYLE}</style>
<body><script type="module" src="page.js"></script></body>`;

/** Bundles the page for browsers. */
async function pageScript() {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'app/page.ts'),
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  return output[0].code;
}

/** Creates a board. Each function changes it and returns the frame that tells everyone. */
function createBoard() {
  const columns = [
    { id: 'todo', title: 'To do', cards: [{ id: 'card-1', title: 'Write the minutes' }] },
    { id: 'doing', title: 'Doing', cards: [] },
    { id: 'done', title: 'Done', cards: [] },
  ];
  let last = 1;
  const remove = (id) => {
    for (const { cards } of columns) {
      const index = cards.findIndex((card) => card.id === id);
      if (index !== -1) return cards.splice(index, 1)[0];
    }
    return undefined;
  };
  return {
    frame: () => ({ type: 'board', columns }),
    add({ column, title }) {
      const card = { id: `card-${++last}`, title };
      columns.find(({ id }) => id === column)?.cards.push(card);
      return { type: 'cardAdded', column, card };
    },
    move({ id, column }) {
      const card = remove(id);
      if (card !== undefined) columns.find((one) => one.id === column)?.cards.push(card);
      return { type: 'cardMoved', id, column };
    },
    rename({ id, title }) {
      const card = columns.flatMap(({ cards }) => cards).find((one) => one.id === id);
      if (card !== undefined) card.title = title;
      return { type: 'cardRenamed', id, title };
    },
    remove({ id }) {
      remove(id);
      return { type: 'cardRemoved', id };
    },
  };
}

/** Serves a board to one socket after the other: the whole board first, then each change. */
function serveBoard(sockets) {
  const board = createBoard();
  const people = new Map();
  const tellAll = (frame) => {
    for (const socket of sockets.clients) socket.send(JSON.stringify(frame));
  };
  const tellPeople = () => tellAll({ type: 'people', names: [...people.values()] });
  sockets.on('connection', (socket) => {
    // An app of an older version does not know this frame.
    socket.send(JSON.stringify({ type: 'server', version: 2 }));
    socket.send(JSON.stringify(board.frame()));
    socket.on('message', (data) => {
      const command = JSON.parse(String(data));
      if (command.type === 'hello') {
        people.set(socket, command.name);
        tellPeople();
      } else if (['add', 'move', 'rename', 'remove'].includes(command.type)) {
        tellAll(board[command.type](command));
      }
    });
    socket.on('close', () => {
      people.delete(socket);
      tellPeople();
    });
  });
}

/** Starts the server on a port of 127.0.0.1; 0 selects any free port. */
export async function startServer(port) {
  const script = await pageScript();
  const http = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : HTML);
  });
  const sockets = new WebSocketServer({ server: http, path: '/socket' });
  serveBoard(sockets);
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const { port: actual } = http.address();
  return {
    url: `http://127.0.0.1:${actual}/`,
    socketUrl: `ws://127.0.0.1:${actual}`,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.close();
      await once(http, 'close');
    },
  };
}

if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  const { url } = await startServer(Number(process.argv[2] ?? 4400));
  process.stdout.write(`Task board at ${url}\n`);
}
