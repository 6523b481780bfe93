import {
  domain,
  type Mailbox,
  type MailServer,
  mailbox,
  mailServer,
  type Sender,
  selector,
  sender,
  signingKey,
} from './mail';
import { oneOf } from './readers';
import { variable } from './variable';

/** Whether a mail server must encrypt. */
export type MailTls = 'required' | 'off';

/** The variables of mail. */
export const MAIL_VARIABLES = {
  /** Unset: mails are kept as what would have been sent. */
  smtpUrl: variable<MailServer | undefined>(
    'SMTP_URL',
    mailServer,
    undefined,
    'the mail server: `smtps://user:password@host` or `smtp://host:587`; without one the console shows what would have been sent',
    { family: 'SMTP_' },
  ),
  smtpTls: variable<MailTls>(
    'SMTP_TLS',
    oneOf<MailTls>(['required', 'off']),
    'required',
    '`off` lets `smtp:` go without TLS, for a mail server on the same machine or network only',
    { family: 'SMTP_' },
  ),
  mailFrom: variable<Sender | undefined>(
    'MAIL_FROM',
    sender,
    undefined,
    'who mails are from, such as `Avow <avow@example.com>`; required with SMTP_URL',
    { family: 'MAIL_' },
  ),
  bouncesUrl: variable<Mailbox | undefined>(
    'BOUNCES_URL',
    mailbox,
    undefined,
    'the mailbox of MAIL_FROM, where undeliverable mails come back: `imaps://user:password@host`; it is only read',
    { family: 'BOUNCES_' },
  ),
  dkimDomain: variable<string | undefined>(
    'DKIM_DOMAIN',
    domain,
    undefined,
    'the domain that signs mails (RFC 6376), where the mail server does not',
    { family: 'DKIM_' },
  ),
  dkimSelector: variable<string | undefined>(
    'DKIM_SELECTOR',
    selector,
    undefined,
    'the name of the key in the DNS, before `._domainkey`; required with DKIM_DOMAIN',
    { family: 'DKIM_' },
  ),
  dkimKey: variable<string | undefined>(
    'DKIM_KEY',
    signingKey,
    undefined,
    'the RSA private key in PEM or its base64; required with DKIM_DOMAIN',
    { family: 'DKIM_' },
  ),
};
