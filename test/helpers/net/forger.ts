import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createPlain, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export type Version = 'TLSv1.2' | 'TLSv1.3';
/** Of records: what they hold. */
export const [CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, DATA] = [20, 21, 22, 23] as const;

/** Encrypts what the client takes for the server's next record. */
export type Seal = (type: number, content: Buffer, padding?: number) => Buffer;

export interface Forger {
  port: number;
  close(): void;
}

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, Math.max(0, bytes - 6), Math.min(bytes, 6));
  return buffer;
};
export const record = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3]), number(body.length, 2), body]);
const hmac = (key: Buffer, ...parts: Buffer[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();

/** RFC 5246 §5 */
function expanded(secret: Buffer, seed: Buffer, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = hmac(secret, seed); parts.length * 32 < length; at = hmac(secret, at))
    parts.push(hmac(secret, at, seed));
  return Buffer.concat(parts).subarray(0, length);
}

/** RFC 8446 §7.1 */
function labelled(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([number(length, 2), number(name.length, 1), name, Buffer.from([0, 1])]);
  return hmac(secret, info).subarray(0, length);
}

function sealed(key: Buffer, nonce: Buffer, known: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(known);
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Of TLS 1.2 and AES-128-GCM; the server's Finished was the first. */
function sealOfOld(master: Buffer, randoms: Buffer): Seal {
  const keys = expanded(master, Buffer.concat([Buffer.from('key expansion'), randoms]), 40);
  let sequence = 1;
  return (type, content) => {
    const nonce = number(sequence, 8);
    sequence += 1;
    const known = Buffer.concat([nonce, Buffer.from([type, 3, 3]), number(content.length, 2)]);
    const body = sealed(keys.subarray(16, 32), Buffer.concat([keys.subarray(36), nonce]), known, content);
    return record(type, Buffer.concat([nonce, body]));
  };
}

/** Of TLS 1.3 and AES-128-GCM; after a KeyUpdate come the next keys. */
function sealOfNew(first: Buffer): Seal {
  let secret = first;
  let sequence = 0;
  return (type, content, padding = 0) => {
    const nonce = labelled(secret, 'iv', 12);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
    sequence += 1;
    const inner = Buffer.concat([content, number(type, 1), Buffer.alloc(padding)]);
    const header = Buffer.concat([Buffer.from([DATA, 3, 3]), number(inner.length + 16, 2)]);
    const body = sealed(labelled(secret, 'key', 16), nonce, header, inner);
    if (type === HANDSHAKE && content[0] === KEY_UPDATE) {
      secret = labelled(secret, 'traffic upd', 32);
      sequence = 0;
    }
    return Buffer.concat([header, body]);
  };
}

const KEY_UPDATE = 24;
const message = (type: number, body: Buffer): Buffer =>
  Buffer.concat([number(type, 1), number(body.length, 3), body]);
export const HELLO_REQUEST = message(0, Buffer.alloc(0));
/** Asks for one in return. */
export const keyUpdate = message(KEY_UPDATE, Buffer.from([1]));
/** Of TLS 1.3, as short as they may be: how long it holds, what to add to its age, no nonce, one byte, no extensions. */
export const TICKET = message(4, Buffer.from([0, 0, 14, 16, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]));

/** Calls with each record that a connection brings. */
function eachRecord(socket: Socket, take: (whole: Buffer) => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 5 && waiting.length >= 5 + waiting.readUInt16BE(3)) {
      const end = 5 + waiting.readUInt16BE(3);
      take(waiting.subarray(0, end));
      waiting = waiting.subarray(end);
    }
  });
}

/**
 * A server that says after the handshake what no library lets it say. It stands before an honest one, whose secrets it
 * knows, and whose records it replaces by its own.
 */
export async function startForger(
  version: Version,
  shown: TlsOptions,
  say: (near: Socket, seal: Seal) => void,
): Promise<Forger> {
  const ciphers = version === 'TLSv1.2' ? 'ECDHE-RSA-AES128-GCM-SHA256' : 'TLS_AES_128_GCM_SHA256';
  const honest = createServer({ ...shown, ciphers, minVersion: version, maxVersion: version });
  let secret = Buffer.alloc(0);
  honest.on('keylog', (line: Buffer) => {
    const [label, , value] = line.toString().trim().split(' ') as [string, string, string];
    if (/^(CLIENT_RANDOM|SERVER_TRAFFIC_SECRET_0)$/.test(label)) secret = Buffer.from(value, 'hex');
  });
  honest.on('tlsClientError', () => undefined);
  honest.on('secureConnection', (socket) => socket.on('error', () => undefined));
  honest.listen(0, '127.0.0.1');
  await once(honest, 'listening');
  const sockets = new Set<Socket>();
  const front = createPlain((near) => {
    const far = connect({ port: (honest.address() as AddressInfo).port, host: '127.0.0.1' });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.once('close', () => far.destroy());
    const randoms: Buffer[] = [];
    let isOver = false;
    let changed = false;
    const begin = (seal: Seal): void => {
      isOver = true;
      setImmediate(say, near, seal);
    };
    eachRecord(near, (whole) => {
      if (randoms.length === 0) randoms.push(whole.subarray(11, 43));
      // Its Finished: what the honest server says from now on are tickets.
      if (version === 'TLSv1.3' && whole[0] === DATA && !isOver) {
        far.write(whole);
        begin(sealOfNew(secret));
      } else far.write(whole);
    });
    eachRecord(far, (whole) => {
      if (isOver) return;
      if (whole[0] === HANDSHAKE && whole[5] === 2) randoms.unshift(whole.subarray(11, 43));
      near.write(whole);
      if (version === 'TLSv1.2' && changed) begin(sealOfOld(secret, Buffer.concat(randoms)));
      if (whole[0] === CHANGE_CIPHER_SPEC) changed = true;
    });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    front.close();
    honest.close();
  };
  return { port: (front.address() as AddressInfo).port, close };
}
