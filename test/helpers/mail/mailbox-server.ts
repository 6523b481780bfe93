import type { AddressInfo, Socket } from 'node:net';
import hoodiecrow from 'hoodiecrow-imap';
import { CERTIFICATE, KEY } from './mail-server';

export interface MailboxServer {
  /** As BOUNCES_URL. */
  url: string;
  port: number;
  deliver(message: string): void;
  /** Flags of all messages: those who read only set none. */
  flags(): string[];
  stop(): Promise<void>;
}

/** A real IMAP server on a loopback port, with the mailbox of one user. */
export async function startMailboxServer({ tls = true, folder = 'INBOX' } = {}): Promise<MailboxServer> {
  const messages: { raw: string; flags: string[] }[] = [];
  const server = hoodiecrow({
    ...{ secureConnection: tls, credentials: { key: KEY, cert: CERTIFICATE } },
    plugins: ['ID', 'SASL-IR', 'AUTH-PLAIN', 'NAMESPACE', 'UIDPLUS', 'ENABLE'],
    users: { avow: { password: 'p@ss word' } },
    storage: { [folder]: { messages } },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `imap${tls ? 's' : ''}://avow:p%40ss%20word@127.0.0.1:${port}`,
    deliver: (message) => server.appendMessage(folder, [], false, message.replaceAll(/\r?\n/g, '\r\n')),
    flags: () => messages.flatMap(({ flags }) => flags),
    async stop() {
      const closed = new Promise<void>((resolve) => server.server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
