const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A data-subject request must be answered within a month; the service counts 30 days (GDPR Art. 12(3)). */
export const dsarDueAt = (created: Date): Date => new Date(created.getTime() + 30 * DAY);

/** It may be extended once by two further months; the service counts 60 days (GDPR Art. 12(3)). */
export const dsarExtendedUntil = (due: Date): Date => new Date(due.getTime() + 60 * DAY);

/** A breach must be notified to the supervisory authority within 72 hours of becoming aware (GDPR Art. 33(1)). */
export const breachNotifyBy = (aware: Date): Date => new Date(aware.getTime() + 72 * HOUR);

/** Days that an answered request is kept as evidence where a site says nothing: three years, after which claims lapse in most of the Union. */
export const REQUEST_DAYS = 1095;

/** Warned of before the deadline, in milliseconds: requests 7 days, breaches 24 hours. */
export const DSAR_NOTICE = 7 * DAY;
export const BREACH_NOTICE = 24 * HOUR;
