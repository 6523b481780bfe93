import { randomUUID } from 'node:crypto';
import { PART_BYTES } from '../../../server/src/db/file-parts';
import { DsarRow, MailRow } from '../../../server/src/db/models';
import { type MailContent, openContent, withSecrets } from '../../../server/src/mail/content';
import { signLink } from '../../../server/src/services/mail/links';
import type { Someone } from '../console/console';
import type { TestServer } from '../server';

/** The mails of a request as they would have been sent, by kind. */
async function mailsOf({ service }: TestServer, request_id: string): Promise<Record<string, MailContent>> {
  const { db, vault } = service.context;
  const rows = await MailRow.query(db).where({ request_id }).whereNotNull('content');
  return Object.fromEntries(
    rows.map((row) => [row.kind, withSecrets(openContent(vault, row) as MailContent)]),
  );
}

const linkIn = (text: string | undefined): string => /\/mail\/\S+/.exec(text ?? '')?.[0] ?? '';

/** A request whose address is verified and whose answer has a file, and the links of its mails. */
export async function answered(
  server: TestServer,
  { client, token }: Someone & { token: string },
  language: string,
  content = Buffer.from('personal data'),
): Promise<{ request_id: string; file_id: string; verify: string; answer: string; stop: string }> {
  const email = `${randomUUID()}@visitor.example`;
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email, language },
  });
  // Verified, its link stays valid after the answer.
  await DsarRow.query(server.service.context.db)
    .where({ request_id })
    .patch({ email_verified_at: new Date() });
  const { file_id } = await client.createAnswerFile({
    ...{ token, request_id },
    body: { name: 'Ihre Daten ä.csv', content_type: 'text/csv', bytes: content.length },
  });
  for (let part = 0; part * PART_BYTES < content.length; part += 1) {
    const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    const body = { content: bytes.toString('base64') };
    await client.putAnswerFilePart({ token, request_id, file_id, part, body });
  }
  await client.resolveDsar({
    ...{ token, request_id },
    body: { resolution: 'partially_fulfilled', answer: 'Here it is.' },
  });
  const mails = await mailsOf(server, request_id);
  return {
    ...{ request_id, file_id },
    verify: linkIn(mails.request_received?.text),
    answer: linkIn(mails.request_answered?.text),
    stop: linkIn(mails.request_received?.unsubscribe),
  };
}

/** The code of the newest mail that opens the files of an answer. */
export async function mailedCode(server: TestServer, request_id: string): Promise<string> {
  const { answer_code } = await mailsOf(server, request_id);
  const [code] = /^\d{8}$/m.exec(answer_code?.text ?? '') ?? [];
  if (code === undefined) throw new Error('no code was mailed');
  return code;
}

/** The links in the mails to a member. */
export async function memberLinks(
  { service }: TestServer,
  { userId }: Someone,
): Promise<{ member: string; unsubscribe: string }> {
  const { mail } = service.context;
  const [user, list] = [String(userId), 'new_device.request_received'];
  return {
    member: `/mail/notices/${user}/${await signLink(mail, 'notices', [user])}`,
    unsubscribe: `/mail/unsubscribe/${user}/${list}/${await signLink(mail, 'unsubscribe', [user, list])}`,
  };
}
