import type { WebhookRow } from '../db/models';
import { type Changes, changesOf } from '../domain/audit';

/** What the audit trail tells of a webhook. */
export const auditedWebhook = ({ url, events, method, description, header_names }: WebhookRow) => ({
  ...{ url, events, method, description, header_names },
});

type Audited = ReturnType<typeof auditedWebhook>;

/** An address often contains the receiver's key. */
const hostOf = (url: string): string => `${new URL(url).origin}/***`;

/** Of custom headers only the names are told, and which of them got another value. */
export function webhookChanges(
  before: Audited | undefined,
  after: Audited | undefined,
  headers: Readonly<Record<string, string | null>> = {},
): Changes {
  const given = Object.keys(headers).filter((name) => headers[name] !== null);
  const set = given.length === 0 ? {} : { headers_set: given };
  return changesOf(before ?? {}, { ...after, ...set }, { url: hostOf });
}
