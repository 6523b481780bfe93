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

const PORTS = { 'smtps:': 465, 'smtp:': 587 };
const SERVER =
  'a URL such as smtps://user:password@mail.example.com or smtp://mail.example.com:587 (special characters in the password as %XX)';

/** Throws an error that does not quote the URL, which holds a password. */
export function mailServer(text: string): MailServer {
  if (!URL.canParse(text)) throw new Error(SERVER);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = PORTS[protocol as keyof typeof PORTS];
  const isBare = ['', '/'].includes(pathname) && search === '' && hash === '';
  if (usual === undefined || hostname === '' || !isBare || (username === '') !== (password === ''))
    throw new Error(SERVER);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    implicitTls: protocol === 'smtps:',
    login: username === '' ? undefined : { user: decoded(username), pass: decoded(password) },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(SERVER);
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
