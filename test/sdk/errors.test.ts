import { AvowApiError, AvowConnectionError, AvowError, createAvow } from '../../sdk/src/index';
import { type Answer, type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';
const session_id = 'not a UUID';

let stub: Stub | undefined;
async function against(...answers: Answer[]) {
  stub = await startStub(...answers);
  return createAvow({ baseUrl: stub.baseUrl, retries: 0 });
}
afterEach(() => stub?.stop());

/** What a promise is rejected with. */
const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('was not rejected'),
    (error) => error,
  );

test('a refusal carries code, errors, status, request id and operation, and its message says what to do', async () => {
  const errors = [{ path: 'query.session_id', message: 'must be a UUID', code: 'pattern' }];
  const avow = await against({
    status: 400,
    headers: { 'X-Request-Id': 'req-1' },
    data: { code: 'validation_failed', errors },
    message: 'Correct the listed fields.',
  });
  const error = await rejection(avow.getPreferences({ token, session_id }));
  expect(error).toBeInstanceOf(AvowApiError);
  expect(error).toBeInstanceOf(AvowError);
  expect(error).toMatchObject({
    ...{ name: 'AvowApiError', operation: 'getPreferences', status: 400, code: 'validation_failed' },
    ...{ errors, requestId: 'req-1', retryAfter: undefined },
  });
  expect(error.message).toBe(
    'getPreferences failed (400 validation_failed, request req-1): Correct the listed fields.; query.session_id: must be a UUID',
  );
  expect(AvowApiError.isApiError(error)).toBe(true);
});

test('Retry-After is part of the error', async () => {
  const avow = await against({ status: 503, headers: { 'Retry-After': '2' }, data: { code: 'unavailable' } });
  await expect(avow.getMe()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2, errors: [] });
});

test.each<[string, Answer]>([
  ['a gateway page', { status: 502, text: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' } }],
  ['a page with status 200', { text: '<!doctype html>' }],
  ['nothing with status 200', { text: '' }],
  ['cut-off JSON', { text: '{"status":"succ' }],
  ['null', { text: 'null' }],
  ['somebody else’s JSON', { text: '{"ok":true}' }],
  ['somebody else’s JSON error', { status: 404, text: '{"message":"no Route matched"}' }],
])('%s is an unexpected answer', async (_, answer) => {
  const error = await rejection((await against(answer)).getMe());
  expect(error).toBeInstanceOf(AvowApiError);
  expect(error).toMatchObject({ code: 'unexpected_answer', operation: 'getMe', errors: [] });
  expect(error.message).toContain('check `baseUrl`');
});

test('a refused file is an error, not a file', async () => {
  const avow = await against({ status: 404, data: { code: 'not_found', errors: [] } });
  await expect(avow.exportConsents({ token })).rejects.toMatchObject({ code: 'not_found' });
});

test('nobody there is a connection error with its cause', async () => {
  const avow = await against();
  const url = stub?.baseUrl;
  await stub?.stop();
  const error = await rejection(avow.getMe());
  expect(error).toBeInstanceOf(AvowConnectionError);
  expect(error).toMatchObject({ operation: 'getMe', timedOut: false });
  expect(error.message).toContain(`no answer from ${url} (connect ECONNREFUSED`);
  expect(error.cause).toMatchObject({ message: 'fetch failed' });
});

test('an answer that breaks off is a connection error', async () => {
  const avow = await against((response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('{', () => response.destroy());
  });
  await expect(avow.getMe()).rejects.toBeInstanceOf(AvowConnectionError);
});

test('a file that breaks off says how far it came', async () => {
  const avow = await against((response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write('{"id":1}\n{"id":2}\n{"i', () => setImmediate(() => response.destroy()));
  });
  const file = await avow.exportConsents({ token });
  const read = async () => {
    for await (const _ of file.body);
  };
  const error = await rejection(read());
  expect(error).toBeInstanceOf(AvowConnectionError);
  expect(error).toMatchObject({
    operation: 'exportConsents',
    timedOut: false,
    received: { bytes: 21, lines: 2 },
    cause: expect.any(Error),
  });
  expect(error.message).toContain('the connection broke after 21 bytes (2 lines)');
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
});

test('options that cannot work are refused at once', () => {
  expect(() => createAvow({ baseUrl: 'consent.example.com' })).toThrow('`baseUrl` must be the absolute URL');
  expect(() => createAvow({ baseUrl: undefined as never })).toThrow(AvowError);
  const credentials = { email: 'a@example.com', password: 'secret' };
  expect(() => createAvow({ baseUrl: 'https://a.example', token: 't', credentials })).toThrow('give one of');
});

test('a header that cannot be is the caller’s mistake, and nothing is sent', async () => {
  const avow = await against({});
  await expect(avow.getMe({}, { headers: { 'X-Name': 'line\nbreak' } })).rejects.not.toBeInstanceOf(
    AvowError,
  );
  expect(stub?.seen).toHaveLength(0);
});

test.each(['', '.', '..', undefined])(
  'the path parameter %j would lead elsewhere and is refused',
  async (id) => {
    const avow = await against({});
    const erase = avow.eraseSession({ token, session_id: id as string });
    await expect(erase).rejects.toThrow('eraseSession: `session_id` must not be empty');
    expect(stub?.seen).toHaveLength(0);
  },
);

test.each([['no list'], [null], [[null]], [7]])(
  'whatever a refusal calls its problems, it is a refusal: %j',
  async (errors) => {
    const avow = await against({ status: 400, data: { code: 'odd', errors }, message: 'Odd.' });
    const error = await rejection(avow.getMe());
    expect(error).toBeInstanceOf(AvowApiError);
    expect(error).toMatchObject({ code: 'odd', errors: [], message: expect.stringContaining('Odd.') });
  },
);

test('no control character of an answer gets into a message or a line of the log', async () => {
  const lines: string[] = [];
  stub = await startStub({
    status: 400,
    headers: { 'X-Request-Id': 'req\x9b2J' },
    data: { code: 'validation_failed', errors: [{ path: 'body.\x1b[2J', message: 'is\nnot \u202egood' }] },
    message: 'Correct\x1b]0;title\x07 it.',
  });
  const avow = createAvow({ baseUrl: stub.baseUrl, retries: 0, debug: (line) => lines.push(line) });
  const error = await rejection(avow.getMe());
  for (const text of [error.message, ...lines]) expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(lines).toHaveLength(1);
  expect(error.message).toContain('Correct\ufffd]0;title\ufffd it.; body.\ufffd[2J: is\ufffdnot \ufffdgood');
});

test.each([200, 502])('an answer %i without end is given up, and is an unexpected one', async (status) => {
  let sent = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  await against((response) => {
    response.writeHead(status);
    response.once('close', end);
    const more = (): void => {
      // So much more than is read that only a client that reads everything gets to the end.
      if (sent >= 2 ** 27) return void response.end();
      sent += 262_144;
      response.write(Buffer.alloc(262_144, ' '), (error) => error || more());
    };
    more();
  });
  const client = createAvow({ baseUrl: (stub as Stub).baseUrl, retries: 0, timeout: 0 });
  await expect(client.getMe()).rejects.toMatchObject({ status, code: 'unexpected_answer' });
  await ended;
  expect(sent).toBeLessThan(2 ** 27);
});

test.each(['a redirect', 'one that keeps method and body'])('%s is not followed', async (which) => {
  const other = await startStub({ data: { token: 'stolen' } });
  const status = which === 'a redirect' ? 302 : 307;
  const avow = await against({ status, headers: { Location: `${other.baseUrl}/api/auth/login` } });
  const login = avow.login({ body: { email: 'a@example.com', password: 'secret' } });
  await expect(login).rejects.toMatchObject({ status, code: 'unexpected_answer' });
  await expect(avow.getMe()).rejects.toMatchObject({ status });
  expect(other.seen).toEqual([]);
  await other.stop();
});
