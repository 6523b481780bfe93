import { createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../src/config';
import { type ImapError, verifyMailbox } from '../../src/mail/bounces/mailbox';
import { createSmtp } from '../../src/mail/smtp';
import { broken, type Check, type Finding, fine, warning } from './finding';

/** Milliseconds for an answer of the DNS. */
const PATIENCE = 3_000;

type Names = Pick<Resolver, 'resolveTxt'>;

/** Whether the mail server takes this server's log-in, and whether its key is published. Nothing is sent. */
export const checkMail: Check = async (config) => {
  if (config.smtpUrl === undefined)
    return [fine('Mail: SMTP_URL is not set, the console shows what would have been sent')];
  return [await checkServer(config), ...(await checkDkim(config)), ...(await checkMailbox(config))];
};

/** What to do about what nodemailer says; the texts of a mail server may repeat a name, and are not shown. */
const ADVICE: Readonly<Record<string, string>> = {
  EAUTH:
    'it refuses the log-in, check user and password in SMTP_URL (special characters as %XX), and whether the account may send',
  EDNS: 'its name is not found, check the host in SMTP_URL and the DNS of this machine',
  ETLS: 'it does not offer TLS, or none with a certificate that Node trusts: use smtps:, another port, NODE_EXTRA_CA_CERTS for a certificate of your own, or SMTP_TLS=off on the same machine only',
  ETIMEDOUT: 'it does not answer, check host and port in SMTP_URL and what firewalls let out',
  ECONNECTION: 'nothing answers there, check host and port in SMTP_URL and what firewalls let out',
};
/** Words of Node and OpenSSL about certificates, which come as failures of the connection. */
const CERTIFICATE = /certificate|CERT|self.signed|altname|wrong version number|EPROTO/i;

async function checkServer(config: Config): Promise<Finding> {
  const { host, port, implicitTls, login } = config.smtpUrl as NonNullable<Config['smtpUrl']>;
  const text = `Mail: ${host}:${port}`;
  const smtp = createSmtp(config);
  try {
    await smtp?.verify();
    const tls = implicitTls || config.smtpTls === 'required' ? 'TLS' : 'no TLS (SMTP_TLS is off)';
    return fine(`${text} answers, with ${tls} and ${login === undefined ? 'no log-in' : 'the log-in'}`);
  } catch (error) {
    return unusable(text, error as Error & { code?: string; responseCode?: number });
  } finally {
    smtp?.close();
  }
}

function unusable(
  text: string,
  { code = '', message, responseCode }: Error & { code?: string; responseCode?: number },
): Finding {
  const kind = CERTIFICATE.test(message) ? 'ETLS' : code;
  const said = [code, responseCode].filter((one) => one !== undefined && one !== '').join(' ');
  const advice = ADVICE[kind] ?? ADVICE.ECONNECTION;
  return broken(`${text} cannot be used (${said || 'no reason given'})`, advice as string);
}

/** Whether the mailbox can be read to which mails come back. Nothing in it is changed. */
async function checkMailbox({ bouncesUrl }: Config): Promise<Finding[]> {
  if (bouncesUrl === undefined)
    return [fine('Bounces: BOUNCES_URL is not set, have somebody read the mailbox of MAIL_FROM')];
  const { host, port, folder } = bouncesUrl;
  const text = `Bounces: ${host}:${port}`;
  try {
    await verifyMailbox(bouncesUrl);
    return [fine(`${text} answers, and ${folder} can be read`)];
  } catch (error) {
    return [unreadable(text, error as ImapError)];
  }
}

function unreadable(
  text: string,
  { message, code, authenticationFailed, tlsFailed, responseStatus }: ImapError,
): Finding {
  const advice =
    tlsFailed === true || CERTIFICATE.test(`${message} ${code}`)
      ? 'it does not offer TLS, or none with a certificate that Node trusts: use imaps:, or NODE_EXTRA_CA_CERTS for a certificate of your own'
      : authenticationFailed === true
        ? 'it refuses the log-in, check user and password in BOUNCES_URL (special characters as %XX)'
        : responseStatus !== undefined
          ? 'it does not open the folder, check the end of BOUNCES_URL (INBOX when it is left out)'
          : 'nothing answers there, check host and port in BOUNCES_URL and what firewalls let out';
  const said = code ?? responseStatus ?? (tlsFailed === true ? 'no STARTTLS' : 'no reason given');
  return broken(`${text} cannot be read (${said})`, advice);
}

/** The record that the key needs, and whether it is there, as far as the DNS answers. */
export async function checkDkim(
  { dkimDomain, dkimSelector, dkimKey }: Pick<Config, 'dkimDomain' | 'dkimSelector' | 'dkimKey'>,
  names: Names = new Resolver({ timeout: PATIENCE, tries: 1 }),
): Promise<Finding[]> {
  if (dkimDomain === undefined || dkimSelector === undefined || dkimKey === undefined) return [];
  const name = `${dkimSelector}._domainkey.${dkimDomain}`;
  const key = createPublicKey(dkimKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const publish = `publish a TXT record with v=DKIM1; k=rsa; p=${key}`;
  try {
    const records = (await names.resolveTxt(name)).map((parts) => parts.join(''));
    const published = records.map(keyIn).filter((one) => one !== undefined);
    if (published.includes(key)) return [fine(`DKIM: the key is published under ${name}`)];
    const other = published.length === 0 ? 'no key' : 'another key, by which no mail of this server fits';
    return [broken(`DKIM: ${name} holds ${other}`, publish)];
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA')
      return [broken(`DKIM: there is no record ${name}`, publish)];
    return [
      warning(`DKIM: the DNS does not answer here (${code})`, `see that ${name} is there, else ${publish}`),
    ];
  }
}

/** The public key of a record (RFC 6376 §3.6.1). */
function keyIn(record: string): string | undefined {
  const tag = record.split(';').find((one) => one.trim().startsWith('p='));
  return tag
    ?.trim()
    .slice('p='.length)
    .replace(/[ \t\r\n]/g, '');
}
