import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { until } from '../until';

export interface NameServer {
  /** For DNS_SERVERS. */
  address: string;
  /** Names that were asked for, each as often as it was. */
  asked: string[];
  /** Resolves when so many different names have been asked for. */
  untilAsked(names: number): Promise<unknown>;
  stop(): Promise<void>;
}

interface Records {
  /** IPv4 addresses by name. */
  a?: Record<string, string[]>;
  txt?: Record<string, string[]>;
  /** Names, besides those above, that do not exist; what is in no list is never answered. */
  missing?: RegExp;
}

const TYPES: Record<number, keyof Omit<Records, 'missing'>> = { 1: 'a', 16: 'txt' };

/** A name server on the loopback interface that is silent about every name that it was not told of. */
export async function startNameServer(records: Records): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const isKnown = records.a?.[name] !== undefined || records.txt?.[name] !== undefined;
    const isMissing = records.missing?.test(name) ?? false;
    if (!isKnown && !isMissing) return;
    const found = records[TYPES[type] ?? 'a']?.[name] ?? [];
    const answers = type in TYPES ? found.map((text) => answerOf(type, text)) : [];
    const head = Buffer.from(query.subarray(0, 12));
    // A response with recursion; NXDOMAIN for what does not exist.
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    untilAsked: (names) => until(`${names} names are asked for`, async () => new Set(asked).size >= names),
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** RFC 1035, 4.1.2. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** RFC 1035, 4.1.3: the name is a pointer to the question's. */
function answerOf(type: number, text: string): Buffer {
  const data =
    type === 1
      ? Buffer.from(text.split('.').map(Number))
      : Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
