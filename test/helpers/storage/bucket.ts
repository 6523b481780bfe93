import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { judge, type Signed } from './signature';

const KEY = { id: 'AKIAVOWTEST', secret: 'a+secret/with=signs', region: 'eu-test-1' };
const BUCKET = 'avow-files';

/** `up`; `down`: connections break; `failing`: 500; `silent`: no answer. */
type State = 'up' | 'down' | 'failing' | 'silent';

export interface TestBucket {
  state: State;
  readonly variables: Record<string, string>;
  /** What was asked, such as `PUT /avow-files/avow/…`. */
  readonly asked: string[];
  /** By their paths in the bucket. */
  readonly objects: Map<string, Buffer>;
  stop(): Promise<void>;
}

/** What the storage answers: a status, and an object or the code of an error. */
type Answer = readonly [number, Buffer | string | undefined];

/** An S3-compatible storage with one bucket (path style), which takes signed requests only. */
export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await buffer(request);
    const verdict = judge(request as Signed, body, KEY);
    if (verdict === 'XAmzContentSHA256Mismatch') return [400, verdict];
    if (verdict !== 'fine') return [403, verdict];
    const [, bucket, ...rest] = (request.url ?? '').split('/').map(decodeURIComponent);
    const name = rest.join('/');
    if (bucket !== BUCKET) return [404, 'NoSuchBucket'];
    if (request.method === 'PUT') {
      objects.set(name, body);
      return [200, undefined];
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return [204, undefined];
    }
    const object = objects.get(name);
    return object === undefined ? [404, 'NoSuchKey'] : [200, object];
  };
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (test.state === 'silent') return;
    if (test.state === 'down') return void request.socket.destroy();
    const [status, content] = test.state === 'failing' ? [500, 'InternalError'] : await answer(request);
    response.writeHead(status);
    response.end(
      typeof content === 'string' ? `<?xml version="1.0"?><Error><Code>${content}</Code></Error>` : content,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const test: TestBucket = {
    ...{ state: 'up', asked, objects },
    variables: {
      FILES_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FILES_S3_BUCKET: BUCKET,
      FILES_S3_REGION: KEY.region,
      FILES_S3_ACCESS_KEY_ID: KEY.id,
      FILES_S3_SECRET_ACCESS_KEY: KEY.secret,
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return test;
}
