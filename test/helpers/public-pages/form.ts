import { issueForm } from '../../../server/src/services/public-form';
import type { TestServer } from '../server';

/** What a form carries that was asked for so long ago, in milliseconds. */
export async function formAsked(server: TestServer, token: string, ago = 60_000): Promise<string> {
  const { db, mail } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  return issueForm(mail, id, Date.now() - ago);
}

/** Sends the form as a browser does. */
export const sendForm = (
  { url }: Pick<TestServer, 'url'>,
  token: string,
  fields: Record<string, string>,
  query = '',
): Promise<Response> =>
  fetch(`${url}/pages/${token}/request${query}`, { method: 'POST', body: new URLSearchParams(fields) });
