declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  interface ImapServer {
    server: Server;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    getMailbox(path: string): { messages: { flags: string[] }[]; uidnext: number };
    appendMessage(mailbox: string, flags: string[], date: Date | false, raw: string): void;
  }
  function hoodiecrow(options: Record<string, unknown>): ImapServer;
  export = hoodiecrow;
}
