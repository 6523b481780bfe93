import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from '../until';

export const FIXTURES = join(__dirname, '..', '..', 'webhooks', 'net', 'fixtures');
export const KEY = readFileSync(join(FIXTURES, 'key.pem'), 'utf8');
/** The certificate of the mail server, for 127.0.0.1: where it is, for processes, and what it is. */
export const CERTIFICATE_FILE = join(FIXTURES, 'certificate.pem');
export const CERTIFICATE = readFileSync(CERTIFICATE_FILE, 'utf8');

/** A mail as it arrived. */
export interface ArrivedMail {
  to: string[];
  from: string;
  secure: boolean;
  /** Whether the client announced SMTPUTF8 (RFC 6531). */
  utf8: boolean;
  /** What is to be reported of it (RFC 3461). */
  reports: { give: string; id: string; when: string[] };
  raw: string;
  parsed: ParsedMail;
}

/** How a mail server answers; each may be changed while it runs. */
export interface Answers {
  /** An SMTP code and text for an address; undefined takes it. */
  recipient?: ((address: string) => [code: number, text: string] | undefined) | undefined;
  /** The same for the content, after it came. */
  content?: ((mail: ArrivedMail) => [code: number, text: string] | undefined) | undefined;
  /** Called with all of the content before it is taken; what it throws refuses it. */
  beforeTaking?: ((mail: ArrivedMail) => Promise<void>) | undefined;
  /** Called with what was taken, before the server says so: a client that is not told has to send it again. */
  beforeReply?: ((mail: ArrivedMail) => Promise<void>) | undefined;
}

export interface MailServer {
  port: number;
  /** As SMTP_URL. */
  url: string;
  mails: ArrivedMail[];
  answers: Answers;
  /** Waits until so many mails have come to an address; resolves with them. */
  until(count: number, to?: string): Promise<ArrivedMail[]>;
  stop(): Promise<void>;
}

const failure = ([code, text]: [number, string]): Error =>
  Object.assign(new Error(text), { responseCode: code });

/** A real SMTP server on a loopback port. */
export async function startMailServer(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const mails: ArrivedMail[] = [];
  const answers: Answers = {};
  const sockets = new Set<Socket>();
  const { port: wanted = 0, ...more } = options;
  const server = new SMTPServer({
    ...{ key: KEY, cert: CERTIFICATE, authOptional: true, disableReverseLookup: true, closeTimeout: 100 },
    hideDSN: false,
    onConnect(session, done) {
      done();
      void session;
    },
    onRcptTo({ address }, _session, done) {
      const refused = answers.recipient?.(address);
      done(refused === undefined ? undefined : failure(refused));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void take(Buffer.concat(chunks), session).then(
          () => done(),
          (error: Error) => done(error),
        );
      });
    },
    ...more,
  });
  async function take(bytes: Buffer, session: { envelope: object; secure?: boolean }): Promise<void> {
    const envelope = session.envelope as {
      mailFrom: { address: string; args: Record<string, unknown> | false };
      rcptTo: { address: string; dsn?: { notify: string[] } }[];
      dsn: { ret: string; envid: string };
    };
    const mail: ArrivedMail = {
      to: envelope.rcptTo.map(({ address }) => address),
      from: envelope.mailFrom.address,
      secure: session.secure === true,
      utf8: Boolean(envelope.mailFrom.args && 'SMTPUTF8' in envelope.mailFrom.args),
      reports: {
        ...{ give: envelope.dsn.ret, id: envelope.dsn.envid, when: envelope.rcptTo[0]?.dsn?.notify ?? [] },
      },
      raw: bytes.toString('utf8'),
      parsed: await simpleParser(bytes),
    };
    const refused = answers.content?.(mail);
    if (refused !== undefined) throw failure(refused);
    await answers.beforeTaking?.(mail);
    mails.push(mail);
    await answers.beforeReply?.(mail);
  }
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const sentTo = (to: string | undefined): ArrivedMail[] =>
    mails.filter((mail) => to === undefined || mail.to.includes(to));
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    answers,
    until: (count, to) =>
      until(
        () => `${count} mails to ${to ?? 'anybody'}; there are ${sentTo(to).length}`,
        () => sentTo(to).length >= count && sentTo(to),
      ),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The variables of a server that sends its mails there. */
export const sendingTo = (url: string): Record<string, string> => ({
  SMTP_URL: url,
  MAIL_FROM: 'Avow <avow@avow.example>',
  WEBHOOK_RETRY_SECONDS: '0,0,0,0',
});
