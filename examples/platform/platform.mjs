/** A platform for Parley, all in memory. Run: node examples/platform/platform.mjs [port]. Protocol: docs/platform.md */
import { randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
const accounts = new Map();
/** A name registers, an empty one logs in. Returns a status, and the identifier or a sentence for the person. */
function enter({ email, password, name }) {
  const known = [...accounts.values()].find((account) => account.email === email);
  const id = known?.id ?? randomBytes(24).toString('base64url');
  const hash = scryptSync(password, id, 32).toString('hex');
  if (!name) return known?.hash === hash ? [200, id] : [401, 'Wrong email or password.'];
  if (known || !email) return [409, 'This email cannot be registered.'];
  accounts.set(id, { id, email, hash, person: `${name}`, messages: [], sockets: new Set() });
  return [200, id];
}
async function respond(request, response) {
  const isShort = request.url === '/auth' && request.headers['content-length'] < 4096;
  const entry = json(isShort ? request : []).then(enter);
  const [status, body] = await entry.catch(() => [400, 'The request cannot be read.']);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
}
const server = createServer((request, response) => void respond(request, response));
/** Sends an update to every socket of an account, and changes the conversation as the client does (spec §6.1). */
function send({ sockets, messages }, frame) {
  if ('modifier' in frame) messages.push(frame);
  else if ('context' in frame) messages.at(-1).context = frame.context;
  else messages.at(-1).content.at(-1).text = frame.text;
  for (const socket of sockets) socket.send(JSON.stringify(frame));
}
const append = (account, fields) => send(account, { id: randomUUID(), time: new Date(), ...fields });
/** Ends the running answer: `text` changes the newest message, so the rest would overwrite the next message. */
function endAnswer(account, label) {
  if (account.timer) send(account, { context: label });
  account.timer = clearInterval(account.timer);
}
/** Answers with one more word every 150 ms: the client shows ten updates a second. */
function answer(account, [first, ...rest], item = { category: 'text', text: first, format: 'markdown' }) {
  append(account, { modifier: 'ai', context: 'Echo is writing…', content: [item] });
  account.timer = setInterval(() => {
    if (rest.length > 0) send(account, { text: `${item.text} ${rest.shift()}` });
    else endAnswer(account, 'Echo');
  }, 150);
}
async function receive(account, data) {
  const { category, text = null, blob = null } = JSON.parse(data);
  if ([category, category === 'text' ? text : blob, text ?? ''].some((it) => typeof it !== 'string')) return;
  endAnswer(account, 'Echo · stopped');
  append(account, { modifier: 'client', context: account.person, content: [{ category, text, blob }] });
  answer(account, `I have received: ${text ?? category}`.split(' '));
}
new WebSocketServer({ server, maxPayload: 2_000_000 }).on('connection', (socket, { url }) => {
  const account = accounts.get(url.slice(1));
  if (!account) return socket.close(4401, 'unauthorized');
  account.sockets.add(socket.on('error', () => {}).on('close', () => account.sockets.delete(socket)));
  socket.on('message', (data) => void receive(account, data).catch(() => {}));
  return socket.send(JSON.stringify({ person: account.person, messages: account.messages }));
});
const ready = () => console.log(`The platform is ready at http://127.0.0.1:${server.address().port}`);
server.listen(process.argv[2] ?? 4500, '127.0.0.1', ready);
