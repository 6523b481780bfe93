import { createPublicKey, randomBytes } from 'node:crypto';
import { headOf } from '../../../server/src/db/ledger/heads';
import { clock } from '../../../server/src/domain/clock';
import { bytesOf } from '../../../server/src/domain/ledger/note';
import { LOG_KEY, vkeyOf } from '../../../server/src/domain/ledger/open-note';
import { currentKey } from '../../../server/src/ledger/keys';
import { OpenLog, originOf } from '../../../server/src/ledger/log';
import type { TestServer } from '../server';

type Served = Pick<TestServer, 'service'>;

const siteOf = ({ service }: Served, token: string) =>
  service.context.db('environments').where({ token }).first();

/** Adds leaves to the log of a site, and signs its head; its size. */
export async function growLog(server: Served, token: string, leaves: number): Promise<number> {
  const { db, vault, publicUrl } = server.service.context;
  const site = await siteOf(server, token);
  // The key is made outside, as by the sealer: two logs may begin at once.
  await currentKey(db, vault);
  return db.transaction(async (trx) => {
    const log = await OpenLog.of(trx, site, { vault, publicUrl: publicUrl(), sealedSince: undefined });
    const now = clock.date();
    await log.append({ commitments: randomBytes(32 * leaves), first_at: now, last_at: now });
    return Number((await log.close()).size);
  });
}

/** The id of a site, and the head of its log. */
export async function headOfSite(server: Served, token: string): Promise<{ id: string; note: string }> {
  const { id } = await siteOf(server, token);
  const head = await headOf(server.service.context.db, id);
  if (head === undefined) throw new Error('the site has no log yet');
  return { id, note: head.note };
}

/** The verifier key of a site's log, as its operator hands it to a witness. */
export async function vkeyOfSite(server: Served, token: string): Promise<string> {
  const { db, vault, publicUrl } = server.service.context;
  const { key } = await currentKey(db, vault);
  return vkeyOf(originOf(publicUrl(), token), LOG_KEY, bytesOf(createPublicKey(key)));
}
