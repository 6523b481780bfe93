import { type Check, fail, pass, unknown } from './evidence';
import { ofBanner } from './seen-banner';

const MAX_LIFETIME_DAYS = 366;

/**
 * Consent is requested again after a while. The GDPR sets no period; the EDPB recommends appropriate
 * intervals, the CNIL calls 6 months good practice, and this check allows 12. Records end by the setting, and the
 * published banner asks by its own: the longer one counts. Never unknown: the lifetime is a setting.
 */
export const consentLifetime: Check = {
  id: 'consent_lifetime',
  title: 'Consent lives at most 12 months',
  weight: 5,
  legalReference: 'EDPB Guidelines 05/2020, section 5.1; CNIL 2020-092',
  find: ({ settings: { consent_lifetime_days: saved }, banner: { published } }) => {
    const shown = published?.config.consent_lifetime_days ?? saved;
    const found = shown === saved ? `${saved} days` : `${saved} days; ${shown} in the published banner`;
    if (Math.max(saved, shown) <= MAX_LIFETIME_DAYS) return pass(found);
    return fail(
      found,
      saved <= MAX_LIFETIME_DAYS
        ? 'Publish the banner: what is saved keeps this rule.'
        : 'Ask again after 366 days at most; 180 are recommended.',
    );
  },
};

/** Each decision can be shown together with what was seen (GDPR Art. 7(1)). Unknown while there is none. */
export const provableConsents: Check = {
  id: 'provable_consents',
  title: 'Each decision is tied to the banner that was shown',
  weight: 8,
  legalReference: 'GDPR Art. 7(1), Art. 5(2); EDPB Guidelines 05/2020, section 5.1',
  find: ({ decisions: { total, withBanner } }) => {
    if (total === 0)
      return unknown('no decision within the last 30 days', 'Put the banner into the pages of the site.');
    const found = `${withBanner} of ${total} decisions of the last 30 days`;
    return withBanner === total
      ? pass(found)
      : fail(
          found,
          'Make each decision name the banner that was shown: use the generated banner, or send its version or hash from your program. A settings version counts when a banner was generated from it.',
        );
  },
};

/**
 * Withdrawing is as easy as giving consent: the choice can be reopened at any time (GDPR Art. 7(3)). The
 * product's control is on every page with the banner; a control of the site itself cannot be seen from here:
 * unknown. Never a fail, because one of the two is always set.
 */
export const reopenable: Check = {
  id: 'reopenable',
  title: 'The choice can be changed at any time',
  weight: 6,
  legalReference: 'GDPR Art. 7(3); EDPB Cookie Banner Taskforce 2023, type K',
  find: ofBanner(({ config: { control } }) =>
    control === 'custom'
      ? unknown(
          'the banner shows no button of its own',
          'Let the banner show its own button, or add a link to every page that calls Avow.show().',
        )
      : pass('a button on every page with the banner'),
  ),
};

/**
 * Requests are answered in time (GDPR Art. 12(3): one month, two more with a reason). Unknown while there are
 * none.
 */
export const requestsInTime: Check = {
  id: 'requests_in_time',
  title: 'Data-subject requests are answered in time',
  weight: 8,
  legalReference: 'GDPR Art. 12(3)',
  find: ({ requests: { resolved, resolvedLate, overdue } }) => {
    const found = `${resolved} resolved, ${resolvedLate} of them late; ${overdue} overdue`;
    if (overdue > 0) return fail(found, 'Answer the overdue requests now.');
    if (resolved === 0) return unknown(found, 'Nothing to do: no request was resolved yet.');
    return resolvedLate === 0
      ? pass(found)
      : fail(found, 'Answer within a month (at most 30 days), or extend in time with a reason.');
  },
};

/**
 * Breaches are reported within 72 hours, or with the reason for the delay, or judged to need no report with
 * the reason for that (GDPR Art. 33(1)). Unknown while there are none.
 */
export const breachesReported: Check = {
  id: 'breaches_reported',
  title: 'Breaches are reported within 72 hours or with a reason',
  weight: 8,
  legalReference: 'GDPR Art. 33(1)',
  find: ({ breaches: { reported, reportedLateWithoutReason, overdue, notReportable } }) => {
    const found = `${reported} reported, ${reportedLateWithoutReason} late without a reason; ${notReportable} need no report, with the reason; ${overdue} overdue`;
    if (overdue > 0)
      return fail(
        found,
        'Report the breach to the supervisory authority now, with the reason for the delay; or record why it needs no report.',
      );
    if (reported + notReportable === 0) return unknown(found, 'Nothing to do: no breach was reported yet.');
    return reportedLateWithoutReason === 0 ? pass(found) : fail(found, 'Record why the report was late.');
  },
};

/**
 * No record is kept longer than needed (GDPR Art. 5(1)(e)): proof is needed while claims can be brought, for
 * which five years is ample. Never unknown: the retention is a setting.
 */
export const retentionSet: Check = {
  id: 'retention_set',
  title: 'Consent records are not kept longer than needed',
  weight: 4,
  legalReference: 'GDPR Art. 5(1)(e)',
  find: ({ settings }) => {
    const { consents } = settings.retention_days;
    return consents <= 5 * 366
      ? pass(`${consents} days`)
      : fail(`${consents} days`, 'Keep consents for 1830 days or less, or record why you need longer.');
  },
};
