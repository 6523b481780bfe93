import type { TestServer } from '../server';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;

/** The notices that were noted for a member, oldest first. */
export const notedFor = (
  server: TestServer,
  { userId }: { userId: number },
): Promise<{ topic: string; message: string; path: string; mailed_at: Date | null }[]> =>
  server.service.context.db('notices').where({ user_id: userId }).orderBy('created_at').orderBy('notice_key');

/** The id of a site in the database. */
export const siteId = async (server: TestServer, token: string): Promise<string> =>
  (await server.service.context.db('environments').where({ token }).first('id')).id;
