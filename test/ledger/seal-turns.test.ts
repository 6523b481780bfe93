import { randomBytes } from 'node:crypto';
import { clock } from '../../server/src/domain/clock';
import { currentKey } from '../../server/src/ledger/keys';
import { OpenLog } from '../../server/src/ledger/log';
import { useServer } from '../helpers/server';

// Nothing is sealed but what the test seals.
const server = useServer({ variables: { ROLE: 'api' } });
/** Leaves after which others get a turn. */
const TURN = 256;

test.each([
  ['small groups', 7],
  ['groups of usual size', 64],
  ['large groups', 600],
])('others get a turn after every 256 leaves: %s', async (_what, leaves) => {
  const { db, vault, publicUrl } = server.service.context;
  const { token } = await server.site();
  const site = await db('environments').where({ token }).first();
  await currentKey(db, vault);
  const options = { vault, publicUrl: publicUrl(), sealedSince: undefined };
  let turns = 0;
  await db.transaction(async (trx) => {
    const log = await OpenLog.of(trx, site, options);
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const [first_at, last_at] = [clock.date(), clock.date()];
    for (let made = 0; made < 20 * TURN; made += leaves)
      await log.append({ commitments: randomBytes(32 * leaves), first_at, last_at });
    isOver = true;
  });
  // Each of its own rests lets the others have one.
  expect(turns).toBeGreaterThanOrEqual(13);
});
