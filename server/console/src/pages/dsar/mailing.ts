import type { Schemas } from '../../app/data';

type Mailing = Schemas['DsarMailing'];

/** Why the person is mailed nothing, and what to do. */
export const NOT_MAILED: Readonly<Record<Exclude<Mailing, 'mailed'>, string>> = {
  no_address: 'The request has no e-mail address: tell the person yourself.',
  no_mail_server: 'No mail server is configured (SMTP_URL), so nothing is mailed: tell the person yourself.',
  switched_off:
    'The settings of this site say that people who make requests are not mailed: tell the person yourself.',
  disowned:
    'The holder of the e-mail address says that they did not make this request, so nothing about it is mailed to them.',
};

/** Undefined for a person who is mailed. */
export const whyNotMailed = (mailing: Mailing): string | undefined =>
  mailing === 'mailed' ? undefined : NOT_MAILED[mailing];

/** Outcomes of which the person must be told the reasons (GDPR Art. 12(4)). */
export const needsReasons = (resolution: Schemas['DsarResolution']): boolean =>
  resolution === 'refused' || resolution === 'partially_fulfilled';
