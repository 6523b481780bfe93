/**
 * The instant of an ISO 8601 text in the milliseconds that records have: a smaller fraction rounds up, so that "at or after" and
 * "before" stay true. PostgreSQL itself takes no offset beyond 15:59.
 */
export function toMillisecond(instant: string): Date {
  const smaller = /\.\d{3}\d*[1-9]/.test(instant) ? 1 : 0;
  return new Date(Date.parse(instant) + smaller);
}
