import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { insertOne, type OneInsert } from './one-insert';

/** The answer that a reference gives to every request: a copy of Avow's answer. */
export interface FixedAnswer {
  status: number;
  headers: Record<string, string>;
  /** One character per byte. */
  body: string;
}

let fixed: FixedAnswer = { status: 200, headers: {}, body: '' };
let fixedBody: string | Buffer = '';

/** The upper bound of the runtime: reads the body and answers, nothing else. */
function bare(request: IncomingMessage, response: ServerResponse): void {
  readAll(request, () => answer(response));
}

/** The naive design: one insert for each request, on a free connection of a pool. */
function naive(pool: pg.Pool, insert: OneInsert): typeof bare {
  return (request, response) =>
    readAll(request, (body) => {
      const { session_id } = JSON.parse(body.toString());
      pool.query(insert(session_id)).then(
        () => answer(response),
        (error) => response.writeHead(500, { 'Content-Length': 0 }).end(error.message),
      );
    });
}

/** Reads a body in the same way as Avow. */
function readAll(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}

function answer(response: ServerResponse): void {
  response.writeHead(fixed.status, fixed.headers);
  response.end(fixedBody);
}

const [databaseUrl, connections] = process.argv.slice(2);
const handler =
  databaseUrl === undefined
    ? bare
    : naive(
        new pg.Pool({ connectionString: databaseUrl, max: Number(connections) }),
        insertOne('reference_naive'),
      );
const server = createServer({ keepAliveTimeout: 65_000 }, handler);
server.listen(0, '127.0.0.1', () => process.send?.({ value: 'ready' }));
process.on('message', (message: FixedAnswer | { cpu: true }) => {
  if ('cpu' in message) {
    const { user, system } = process.cpuUsage();
    process.send?.({ value: (user + system) / 1e6 });
    return;
  }
  fixed = message;
  // A string if it is text, because Avow sends JSON as a string.
  const isText = fixed.headers['Content-Encoding'] === undefined;
  fixedBody = isText ? Buffer.from(fixed.body, 'latin1').toString() : Buffer.from(fixed.body, 'latin1');
  process.send?.({ value: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
