import type { AddressInfo, Socket } from 'node:net';
import hoodiecrow from 'hoodiecrow-imap';
import { CERTIFICATE, KEY } from './mail-server';

export interface MailboxServer {
  /** As BOUNCES_URL. */
  url: string;
  port: number;
  deliver(message: string): void;
  /** The flags of each message: those who read only set none. */
  flags(): string[][];
  /** How many numbers each search was answered with. */
  found: number[];
  /** Leaves out numbers, as if messages had been deleted. */
  skip(count: number): void;
  stop(): Promise<void>;
}

/** TLS from the first byte, after STARTTLS, or none at all. */
type Tls = 'implicit' | 'starttls' | 'none';

/** A real IMAP server on a loopback port, with the mailbox of one user. */
export async function startMailboxServer(tls: Tls = 'implicit'): Promise<MailboxServer> {
  const server = hoodiecrow({
    ...{ secureConnection: tls === 'implicit', credentials: { key: KEY, cert: CERTIFICATE } },
    plugins: [
      ...['ID', 'SASL-IR', 'AUTH-PLAIN', 'NAMESPACE', 'UIDPLUS', 'ENABLE'],
      ...(tls === 'starttls' ? ['STARTTLS'] : []),
    ],
    users: { avow: { password: 'p@ss word' } },
    storage: { INBOX: { messages: [] } },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  const found: number[] = [];
  server.server.on('secureConnection', (socket: Socket) => {
    const write = socket.write.bind(socket) as (...all: unknown[]) => boolean;
    socket.write = (...all: unknown[]): boolean => {
      const [, numbers] = /^\* SEARCH ([\d ]+)/m.exec(String(all[0])) ?? [];
      if (numbers !== undefined) found.push(numbers.trim().split(' ').length);
      return write(...all);
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `imap${tls === 'implicit' ? 's' : ''}://avow:p%40ss%20word@127.0.0.1:${port}`,
    deliver: (message) => server.appendMessage('INBOX', [], false, message.replaceAll(/\r?\n/g, '\r\n')),
    flags: () => server.getMailbox('INBOX').messages.map(({ flags }) => flags),
    found,
    skip: (count) => {
      server.getMailbox('INBOX').uidnext += count;
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
