import { createPrivateKey } from 'node:crypto';
import { isEmail, normaliseDomain } from '../domain/addresses';

/** A mail server, as `SMTP_URL` names it. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte (RFC 8314); otherwise STARTTLS. */
  implicitTls: boolean;
  login: { user: string; pass: string } | undefined;
}

/** Who mails are from. */
export interface Sender {
  name: string | undefined;
  address: string;
}

/** A mailbox that is read, as `BOUNCES_URL` names it. */
export interface Mailbox extends Omit<MailServer, 'login'> {
  login: { user: string; pass: string };
  folder: string;
}

const SMTP = {
  ports: { 'smtps:': 465, 'smtp:': 587 },
  hint: 'a URL such as smtps://user:password@mail.example.com or smtp://mail.example.com:587 (special characters in the password as %XX)',
};
const IMAP = {
  ports: { 'imaps:': 993, 'imap:': 143 },
  hint: 'a URL such as imaps://user:password@mail.example.com or imaps://user:password@mail.example.com/INBOX/Bounces (special characters in the password as %XX)',
};

/** Throws an error that does not quote the URL, which holds a password. */
export function mailServer(text: string): MailServer {
  const { path, ...server } = readUrl(text, SMTP);
  if (path !== '') throw new Error(SMTP.hint);
  return server;
}

/** Throws an error that does not quote the URL, which holds a password. */
export function mailbox(text: string): Mailbox {
  const { path, login, ...server } = readUrl(text, IMAP);
  if (login === undefined || /\p{Cc}/u.test(path)) throw new Error(IMAP.hint);
  return { ...server, login, folder: path === '' ? 'INBOX' : path };
}

function readUrl(
  text: string,
  { ports, hint }: { ports: Readonly<Record<string, number>>; hint: string },
): MailServer & { path: string } {
  if (!URL.canParse(text)) throw new Error(hint);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = ports[protocol];
  if (usual === undefined || hostname === '' || `${search}${hash}` !== '') throw new Error(hint);
  if ((username === '') !== (password === '')) throw new Error(hint);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    implicitTls: protocol.endsWith('s:'),
    login: username === '' ? undefined : { user: decoded(username, hint), pass: decoded(password, hint) },
    path: decoded(pathname.replace(/^\//, ''), hint),
  };
}

function decoded(part: string, hint: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(hint);
  }
}

/** `avow@example.com` or `Avow <avow@example.com>`. */
export function sender(text: string): Sender {
  const [, written, inside] = /^([^<>"\p{Cc}]{1,100})<([^<>]{3,254})>$/u.exec(text.trim()) ?? [];
  const name = written?.trim();
  const address = inside ?? text.trim();
  if (!isEmail(address))
    throw new Error('an e-mail address such as avow@example.com or Avow <avow@example.com>');
  return { name, address };
}

export function domain(text: string): string {
  const ascii = normaliseDomain(text);
  if (ascii === undefined) throw new Error('a domain name such as example.com');
  return ascii;
}

export function selector(text: string): string {
  if (!/^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?){0,3}$/i.test(text))
    throw new Error('the name before ._domainkey of the DNS record, such as 2026a');
  return text;
}

/** A private key in PEM, or its base64 in one line. Throws an error that does not quote it. */
export function signingKey(text: string): string {
  const pem = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // Reported below.
  }
  throw new Error('an RSA private key in PEM without a password (openssl genrsa 2048), or its base64');
}
