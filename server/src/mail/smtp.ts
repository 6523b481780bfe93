import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../config';
import { CIPHERS, GROUPS } from '../domain/ciphers';
import { deadline } from '../net/abortable';
import type { MailContent } from './content';

/** Milliseconds for each step of a conversation, and for all of it. */
const STEP = 15_000;
export const WHOLE = 60_000;
/** Connections to the mail server. */
export const CONNECTIONS = 4;
/** The longest part of a reply that is kept. */
const KEPT = 300;
/** No more of it is read, however much a mail server sends. */
const READ = 2_000;

type Settings = Pick<Config, 'smtpUrl' | 'smtpTls' | 'mailFrom' | 'dkimDomain' | 'dkimSelector' | 'dkimKey'>;

/** What became of one hand-over. */
export type HandOver =
  | { result: 'sent'; status: number | undefined }
  /** The mail server refused this mail: for good, or for now. */
  | { result: 'refused' | 'put off'; status: number | undefined; error: string; broke?: undefined }
  /** The conversation broke off over this mail. */
  | { result: 'put off'; status: number | undefined; error: string; broke: true }
  /** It could not be reached, or takes nothing at all: that says nothing about the mail. */
  | { result: 'unreachable'; status: number | undefined; error: string }
  /** Broken off by our own stop. */
  | { result: 'stopped' };

/** What is sent besides the content. */
export interface Envelope {
  /** By what mail servers know it. */
  name: string;
  content: MailContent;
}

/** A connection to the mail server. */
export interface Smtp {
  send(envelope: Envelope, signal: AbortSignal): Promise<HandOver>;
  /** Throws when it cannot be reached, or refuses the login. */
  verify(): Promise<void>;
  close(): void;
}

/** Undefined without SMTP_URL. `ca` is trusted besides the system's certificates, in PEM. */
export function createSmtp(settings: Settings, ca?: string): Smtp | undefined {
  const { smtpUrl, mailFrom } = settings;
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const transporter = createTransport(optionsOf(settings, smtpUrl, ca));
  transporter.use('stream', tellBegin);
  return {
    async send({ name, content }, signal) {
      const { to, subject, text, html, fromName, replyTo, unsubscribe } = content;
      let begun = false;
      const end = deadline(WHOLE, signal);
      try {
        const { response } = await transporter.sendMail({
          from: { name: literal(fromName ?? mailFrom.name ?? ''), address: mailFrom.address },
          to: { name: '', address: to },
          // What comes back goes to whoever runs the server, who sees it there.
          envelope: { from: mailFrom.address, to },
          // Where the mail server can (RFC 3461): only failures, with our id, and without what the mail says.
          dsn: { id: name, return: 'headers', notify: 'failure' },
          ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
          ...{ subject: literal(subject), text, html, headers: headersOf(unsubscribe) },
          messageId: `<${name}@${mailFrom.address.slice(mailFrom.address.lastIndexOf('@') + 1)}>`,
          ...{ disableFileAccess: true, disableUrlAccess: true },
          onBegin: () => {
            begun = true;
          },
          signal: end.signal,
        } as Parameters<Transporter['sendMail']>[0]);
        return { result: 'sent', status: statusOf(response) };
      } catch (error) {
        return signal.aborted ? { result: 'stopped' } : judge(error as SmtpError, to, begun);
      } finally {
        end.release();
      }
    },
    verify: async () => void (await transporter.verify()),
    close: () => transporter.close(),
  };
}

/** Readers decode what looks like an encoded word (RFC 2047 §2), whoever wrote it, and so show what no check saw. */
const literal = (text: string): string => text.replaceAll('=?', '= ?');

function optionsOf(
  { smtpTls, dkimDomain, dkimSelector, dkimKey }: Settings,
  { host, port, implicitTls, login }: NonNullable<Settings['smtpUrl']>,
  ca: string | undefined,
) {
  const signs = dkimDomain !== undefined && dkimSelector !== undefined && dkimKey !== undefined;
  return {
    pool: true as const,
    ...{ host, port, secure: implicitTls, requireTLS: smtpTls === 'required', ignoreTLS: smtpTls === 'off' },
    ...(login === undefined ? {} : { auth: login }),
    tls: {
      minVersion: 'TLSv1.2' as const,
      ciphers: CIPHERS,
      ecdhCurve: GROUPS,
      ...(ca === undefined ? {} : { ca }),
    },
    ...{ maxConnections: CONNECTIONS, maxMessages: 100, maxRequeues: 0, idleTimeout: 10_000 },
    ...{ connectionTimeout: STEP, greetingTimeout: STEP, socketTimeout: STEP, dnsTimeout: STEP },
    ...(signs ? { dkim: { domainName: dkimDomain, keySelector: dkimSelector, privateKey: dkimKey } } : {}),
  };
}

/** Calls `onBegin` once there is a connection and a log-in, when this mail has its turn. */
const tellBegin: Parameters<Transporter['use']>[1] = ({ data, message }, done) => {
  const { onBegin } = data as { onBegin?: () => void };
  const create = message.createReadStream.bind(message);
  message.createReadStream = (options) => {
    onBegin?.();
    return create(options);
  };
  done();
};

/** RFC 3834 says that no machine answers; RFC 2369 and RFC 8058 how to get no more. */
const headersOf = (unsubscribe: string | undefined): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(unsubscribe === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

const statusOf = (response: string | undefined): number | undefined =>
  Number(/^\d{3}/.exec(response ?? '')?.[0]) || undefined;

/**
 * A reply to the address or to the content is about this mail; what comes before it is about the server. What breaks off
 * later (421, RFC 5321 §3.8; silence; a closed connection) is first taken to be about this mail: a mail server that
 * passes on how the receiver's own behaves would else stand still for all. `begun`: it was the mail's turn.
 */
export function judge(error: SmtpError, to: string, begun = false): HandOver {
  const { code, command = '', responseCode: status } = error;
  const words = wordsOf(error, to);
  // Nothing was sent: SMTP cannot carry the address, or the mail is too long, and that says nothing about the server.
  if ((code === 'EENVELOPE' && command === 'API') || (code === 'EMESSAGE' && command === 'MAIL FROM'))
    return { result: 'refused', status: undefined, error: words };
  const aboutMail =
    (code === 'EENVELOPE' && command === 'RCPT TO') || (code === 'EMESSAGE' && command === 'DATA');
  if (aboutMail && status !== undefined && status !== 421 && status >= 400)
    return { result: status >= 500 && status !== 503 ? 'refused' : 'put off', status, error: words };
  if (begun && command !== 'MAIL FROM') return { result: 'put off', status, error: words, broke: true };
  return { result: 'unreachable', status, error: words };
}

/** What the mail server said, or what failed; never with the address. */
function wordsOf({ response, message, code }: SmtpError, to: string): string {
  const said = response ?? `${code ?? 'failed'}: ${message}`;
  const local = to.slice(0, to.lastIndexOf('@'));
  return said
    .replaceAll(to, '…')
    .replaceAll(local.length > 2 ? local : to, '…')
    .slice(0, READ)
    .split(/([\s<>"'(),;:]+)/)
    .map((word) => (word.includes('@') ? '…' : word))
    .join('')
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .slice(0, KEPT);
}
