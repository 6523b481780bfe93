import type { MailRow } from '../db/models';
import { type MailContent, openContent, withoutSecrets } from '../mail/content';
import { SealedByAnother, type Vault } from '../security/vault';

/** Without what only its receiver may see; undefined once it is erased, or when no key opens it. */
export function shownOf(vault: Vault, mail: MailRow): MailContent | undefined {
  try {
    const content = openContent(vault, mail);
    return content === undefined ? undefined : withoutSecrets(content);
  } catch (error) {
    if (error instanceof SealedByAnother) return undefined;
    throw error;
  }
}

/** A mail as the contract has it. */
export const mailView = (row: MailRow, content: MailContent | undefined) => ({
  mail_id: row.mail_id,
  kind: row.kind,
  audience: row.audience as 'visitor' | 'member',
  state: row.state,
  to: content?.to ?? null,
  subject: content?.subject ?? null,
  request_id: row.request_id,
  attempts: row.attempts,
  created_at: row.created_at.toISOString(),
  last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  response_status: row.response_status,
  error: row.error,
});
