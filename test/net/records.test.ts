import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createConnector } from '../../server/src/net/connector';
import { describeFailure, Failure } from '../../server/src/net/failure';
import { createPolicy } from '../../server/src/net/policy';
import { Handshake } from '../../server/src/net/tls/handshake';
import { Records } from '../../server/src/net/tls/records';
import { boundWire } from '../../server/src/net/wire';
import { BAD_TLS, describeConnectError } from '../../server/src/scan/failure';
import { FIXTURES } from '../helpers/mail/mail-server';
import {
  ALERT,
  DATA,
  type Forger,
  HANDSHAKE,
  HELLO_REQUEST,
  keyUpdate,
  record,
  type Seal,
  startForger,
  TICKET,
  type Version,
} from '../helpers/net/forger';

const KEY = readFileSync(join(FIXTURES, 'rsa-key.pem'), 'utf8');
const CERTIFICATE = readFileSync(join(FIXTURES, 'rsa-certificate.pem'), 'utf8');
const policy = createPolicy({
  allowNetworks: ['127.0.0.0/8'],
  allowHttp: false,
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
});
const repeated = (count: number, make: () => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, make));
const WARNING = Buffer.from([1, 90]);
const END = 'the end';

const forgers: Forger[] = [];
afterEach(() => {
  for (const forger of forgers.splice(0)) forger.close();
});

/** What a connection ends with, or `undefined` when it carries the last words, and how many bytes it brought. */
async function endOf(
  version: Version,
  say: (seal: Seal, near: Socket) => Buffer,
  onSecure: (socket: TLSSocket) => void = () => undefined,
): Promise<{ code: string | undefined; bytes: number }> {
  const shown = { key: KEY, cert: CERTIFICATE };
  let begin: (start: () => void) => void = () => undefined;
  const begun = new Promise<() => void>((resolve) => {
    begin = resolve;
  });
  const forger = await startForger(version, shown, (near, seal) => begin(() => near.write(say(seal, near))));
  forgers.push(forger);
  const closed = new AbortController();
  const connect = createConnector(policy, { connectMs: 20_000, ca: CERTIFICATE, closed: closed.signal });
  let bytes = 0;
  try {
    const receiver = { host: 'localhost', port: forger.port, secure: true };
    const socket = (await connect(receiver)) as TLSSocket;
    onSecure(socket);
    (await begun)();
    return await new Promise((resolve) => {
      let tail = '';
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve({ code, bytes }));
      socket.once('close', () => resolve({ code: 'closed', bytes }));
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        tail = (tail + chunk.toString('latin1')).slice(-END.length);
        if (tail === END) {
          resolve({ code: undefined, bytes });
          socket.destroy();
        }
      });
    });
  } catch (error) {
    return { code: (error as Failure).code, bytes };
  }
}
const last = (seal: Seal): Buffer => seal(DATA, Buffer.from(END));

describe('after a handshake of TLS 1.2', () => {
  test.each([1, 4_096])('no other one is asked for, by %d messages in one record', async (count) => {
    const { code } = await endOf('TLSv1.2', (seal) =>
      Buffer.concat([
        seal(
          HANDSHAKE,
          repeated(count, () => HELLO_REQUEST),
        ),
        last(seal),
      ]),
    );
    expect(code).toBe('SECOND_HANDSHAKE');
  });

  test('the last message of a handshake has nothing behind it', () => {
    const finished = (length: number) =>
      new Records('1.2', () => 0).take(record(HANDSHAKE, Buffer.alloc(length)), 9);
    // 96 bytes have CBC and SHA-384.
    for (const length of [32, 40, 96]) expect(finished(length)).toBe(5 + length);
    expect(() => finished(129)).toThrow(expect.objectContaining({ code: 'SECOND_HANDSHAKE' }));
  });

  test('eight alerts are taken, and not a ninth', async () => {
    const alerts = (count: number) => (seal: Seal) =>
      // OpenSSL itself counts those between which nothing is.
      Buffer.concat([
        repeated(count, () => Buffer.concat([seal(ALERT, WARNING), seal(DATA, Buffer.alloc(600))])),
        last(seal),
      ]);
    expect((await endOf('TLSv1.2', alerts(8))).code).toBeUndefined();
    expect((await endOf('TLSv1.2', alerts(9))).code).toBe('TOO_MANY_RECORDS');
  });
});

describe('after a handshake of TLS 1.3', () => {
  test('sixteen tickets are taken for one request, and not a record full of them', async () => {
    const tickets = (count: number) => (seal: Seal) =>
      Buffer.concat([
        seal(
          HANDSHAKE,
          repeated(count, () => TICKET),
        ),
        // More than is handed on at once.
        repeated(4, () => seal(DATA, Buffer.alloc(16_384))),
        last(seal),
      ]);
    expect((await endOf('TLSv1.3', tickets(16))).code).toBeUndefined();
    expect((await endOf('TLSv1.3', tickets(900))).code).toBe('TOO_MANY_RECORDS');
  });

  test('changed keys end it, though their answers are as long as a request', async () => {
    const few = (seal: Seal) => Buffer.concat([repeated(150, () => seal(HANDSHAKE, keyUpdate)), last(seal)]);
    expect((await endOf('TLSv1.3', few)).code).toBeUndefined();
    // In parts, so that answers leave between them.
    const many = (seal: Seal, near: Socket): Buffer => {
      const go = (left: number): void => {
        if (left === 0) near.write(last(seal));
        else
          near.write(
            repeated(100, () => seal(HANDSHAKE, keyUpdate)),
            () => setTimeout(go, 5, left - 1),
          );
      };
      go(30);
      return Buffer.alloc(0);
    };
    expect((await endOf('TLSv1.3', many)).code).toBe('TOO_MANY_RECORDS');
  });
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('short records of %s', (version) => {
  test('may be the lines of an answer, each by itself, for as long as they bring data', async () => {
    const lines = (seal: Seal) =>
      Buffer.concat([repeated(3_000, () => seal(DATA, Buffer.alloc(40))), last(seal)]);
    expect(await endOf(version, lines)).toEqual({ code: undefined, bytes: 120_000 + END.length });
  });

  test('end a connection when they bring a byte each', async () => {
    const bytes = (seal: Seal) =>
      Buffer.concat([repeated(3_000, () => seal(DATA, Buffer.alloc(1))), last(seal)]);
    const end = await endOf(version, bytes);
    expect(end.code).toBe('TOO_MANY_RECORDS');
    expect(end.bytes).toBeLessThan(300);
  });

  test('come a few in each turn of the event loop', async () => {
    const lines = (seal: Seal) =>
      Buffer.concat([repeated(3_000, () => seal(DATA, Buffer.alloc(40))), last(seal)]);
    let [now, most] = [0, 0];
    await endOf(version, lines, (socket) =>
      socket.on('data', (chunk: Buffer) => {
        if (now === 0)
          setImmediate(() => {
            now = 0;
          });
        now += chunk.length;
        most = Math.max(most, now);
      }),
    );
    // Two turns, where another began between them.
    expect(most).toBeLessThanOrEqual(2 * 128 * 40);
  });

  test('large ones, too', async () => {
    const large = (seal: Seal) =>
      Buffer.concat([repeated(60, () => seal(DATA, Buffer.alloc(16_384))), last(seal)]);
    let [now, most] = [0, 0];
    const end = await endOf(version, large, (socket) =>
      socket.on('data', (chunk: Buffer) => {
        if (now === 0)
          setImmediate(() => {
            now = 0;
          });
        now += chunk.length;
        most = Math.max(most, now);
      }),
    );
    expect(end.bytes).toBe(60 * 16_384 + END.length);
    expect(most).toBeLessThanOrEqual(6 * 16_384);
  });
});

test('only a request begins the count anew', async () => {
  let socket: TLSSocket | undefined;
  const part = (seal: Seal) => repeated(150, () => seal(DATA, Buffer.alloc(1)));
  const halves = (seal: Seal, near: Socket): Buffer => {
    near.once('data', () => near.write(Buffer.concat([part(seal), last(seal)])));
    return part(seal);
  };
  for (const isRequest of [true, false]) {
    let bytes = 0;
    const { code } = await endOf('TLSv1.3', halves, (made) => {
      socket = made;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes !== 150) return;
        if (isRequest) boundWire(made, 1_000_000);
        made.write('x'.repeat(500));
      });
    });
    expect(code).toBe(isRequest ? undefined : 'TOO_MANY_RECORDS');
  }
});

test.each([1, 4, 7, 1_000])('records are counted however they come: in pieces of %d', (size) => {
  const records = new Records('1.3', () => 0);
  const bytes = repeated(201, () => record(DATA, Buffer.alloc(3)));
  expect(() => {
    for (let at = 0; at < bytes.length; at += size) records.take(bytes.subarray(at, at + size), 1_000);
  }).toThrow(expect.objectContaining({ code: 'TOO_MANY_RECORDS' }));
  expect(new Records('1.3', () => 0).take(bytes, 64)).toBeLessThanOrEqual(64 * 8);
});

test('no data allows short records without end', () => {
  const records = new Records('1.3', () => 10_000_000);
  records.restart();
  const plenty = new Records('1.3', () => 10_000_000);
  const bytes = repeated(60_001, () => record(DATA, Buffer.alloc(3)));
  expect(() => records.take(bytes, 201)).toThrow(expect.objectContaining({ code: 'TOO_MANY_RECORDS' }));
  expect(() => plenty.take(bytes, 60_001)).toThrow(expect.objectContaining({ code: 'TOO_MANY_RECORDS' }));
  expect(new Records('1.3', () => 10_000_000).take(bytes, 60_000)).toBeGreaterThan(59_999 * 8);
});

describe('a handshake', () => {
  /** The beginning of a list of certificates that is never whole. */
  const begun = record(HANDSHAKE, Buffer.concat([Buffer.from([11, 0, 0x80, 0]), Buffer.alloc(1_000)]));

  test('has no empty records', () => {
    const empty = record(HANDSHAKE, Buffer.alloc(0));
    expect(() => new Handshake().take(Buffer.concat([begun, empty]))).toThrow(
      expect.objectContaining({ code: 'EPROTO' }),
    );
  });

  test('has 200 records at most, and may come in parts of 512 bytes', () => {
    const parts = (count: number, size: number) =>
      new Handshake().take(
        Buffer.concat([begun, repeated(count, () => record(HANDSHAKE, Buffer.alloc(size)))]),
      );
    expect(parts(60, 512)).toHaveLength(begun.length + 60 * 517);
    expect(parts(199, 1)).toHaveLength(begun.length + 199 * 6);
    expect(() => parts(200, 1)).toThrow(expect.objectContaining({ code: 'HANDSHAKE_TOO_LONG' }));
  });
});

test('owners and whoever had a page scanned read why', () => {
  expect(describeConnectError(new Failure('SECOND_HANDSHAKE'))).toBe(BAD_TLS);
  expect(describeFailure(new Failure('SECOND_HANDSHAKE'))).toMatch(/asked for another TLS handshake/);
  expect(describeFailure(new Failure('TOO_MANY_RECORDS'))).toMatch(/bring little or nothing/);
});
