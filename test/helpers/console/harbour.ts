import { history } from '../../../server/cli/seed/history';
import { makeSite, readVersions } from '../../../server/cli/seed/site';
import { write } from '../../../server/cli/seed/write';
import { bundleMakerOf } from '../../../server/src/bundles/compose';
import { EnvironmentRow } from '../../../server/src/db/models';
import { ensurePartitions } from '../../../server/src/db/partitions';
import type { TestServer } from '../server';
import type { Someone } from './console';

const DAY = 86_400_000;

/** A believable site with history, as `npm run seed` makes it; this person owns it. Answers its token. */
export async function harbourBooks(
  server: TestServer,
  owner: Someone,
  { events = 3_000, days = 70 } = {},
): Promise<string> {
  const { db } = server.service.context;
  const now = Date.now();
  await ensurePartitions(db, new Date(now - days * DAY), new Date(now));
  const site = await db.transaction(async (trx) => {
    const made = await makeSite(trx, bundleMakerOf(server.service.context), now - days * DAY, now);
    await trx('members').where({ environment_id: made.id }).update({ user_id: owner.userId });
    return EnvironmentRow.query(trx).findById(made.id).throwIfNotFound();
  });
  await write(db, history(await readVersions(db, site), events, days, now));
  return site.token;
}
