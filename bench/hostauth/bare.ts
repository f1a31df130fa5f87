/**
 * The baseline of an HTTP answer: `node:http` with one answer that has the same bytes as the service's. Arguments: the header
 * fields as a JSON list of names and values, and the body. Prints its address; ends when its standard input ends.
 */
import { createServer } from 'node:http';

const [, , fields = '', body = ''] = process.argv;
const headers: unknown = JSON.parse(fields);
if (!Array.isArray(headers)) throw new Error('the header fields must be a list');
const list = headers.map(String);

const server = createServer((_request, response) => {
  response.writeHead(200, list);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.stdin.resume().once('end', () => server.close(() => undefined).closeAllConnections());
