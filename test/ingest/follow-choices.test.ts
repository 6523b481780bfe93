import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { Hosts } from '../../server/src/db/hosts';
import { clock } from '../../server/src/domain/clock';
import { timeOfId } from '../../server/src/domain/ids';
import type { Entry } from '../../server/src/ingest/entries';
import { choiceLooks, Overtaken } from '../../server/src/ingest/follow-choices';
import { Ingest } from '../../server/src/ingest/ingest';
import type { Site } from '../../server/src/ingest/site';
import type { StoredDecision } from '../../server/src/ingest/statements';
import { cloneDatabase } from '../helpers/database';
import { GROUP_KEY } from '../helpers/ledger/group-key';
import { query } from '../helpers/processes/evidence';
import { decide, siteWith } from './entries';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let ingest: Ingest;
beforeAll(async () => {
  database = await cloneDatabase();
  ingest = new Ingest({
    hosts: new Hosts(database.url),
    groupKey: () => GROUP_KEY,
    log: pino({ level: 'silent' }),
    onMissingPartition: () => Promise.reject(new Error('no partition should be missing')),
  });
});
afterAll(async () => {
  await ingest.stop();
  await database.drop();
});

/** What a session decided, brought along from one of its records. */
function broughtAlong(site: Site, from: ReturnType<typeof decide>, follows = from.decision.consent_id) {
  const { session_id, consent_id, expires_at } = from.decision;
  return { ...decide(site, { session_id, linked: { from: consent_id, expires_at } }), follows };
}

const stored = async (site: Site): Promise<object> => ({
  consents: (
    await query<{ consent_id: string }>(
      database.url,
      'SELECT consent_id FROM consents WHERE environment_id = $1 ORDER BY consent_id',
      [site.id],
    )
  ).map(({ consent_id }) => consent_id),
  choices: (
    await query<{ consent_id: string }>(
      database.url,
      'SELECT consent_id FROM session_choices WHERE environment_id = $1',
      [site.id],
    )
  ).map(({ consent_id }) => consent_id),
  ...(
    await query<{ n: number; waiting: number }>(
      database.url,
      `SELECT (SELECT coalesce(sum(n), 0)::int FROM daily_counts WHERE environment_id = $1 AND metric = 'decision') AS n,
        (SELECT coalesce(sum(length(leaves)), 0)::int FROM ledger_pending WHERE environment_id = $1) AS waiting`,
      [site.id],
    )
  )[0],
});

test('what was brought along becomes the latest choice of its session', async () => {
  const site = siteWith();
  const first = decide(site);
  await ingest.record(first);
  const next = broughtAlong(site, first);
  await ingest.record(next);
  const ids = [first, next].map(({ decision }) => decision.consent_id);
  expect(await stored(site)).toMatchObject({ consents: ids, choices: [ids[1]], n: 2 });
  expect(await ingest.choice(site, first.decision.session_id)).toMatchObject({
    expires_at: new Date(first.decision.expires_at),
  });
});

test('nothing of it is stored when another decision came first, also in the same group, nor when there is no choice any more', async () => {
  const site = siteWith();
  const first = decide(site);
  await ingest.record(first);
  const { session_id } = first.decision;
  const withdrawal = decide(site, { session_id, decision: 'reject_all' });
  const other = decide(site);
  const [late, ...others] = await Promise.allSettled([
    ...[broughtAlong(site, first), withdrawal, other].map((entry) => ingest.record(entry)),
  ]);
  expect(late).toMatchObject({ status: 'rejected', reason: expect.any(Overtaken) });
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  await expect(ingest.record(broughtAlong(site, first))).rejects.toThrow(Overtaken);
  await query(database.url, 'DELETE FROM session_choices WHERE environment_id = $1 AND session_id = $2', [
    ...[site.id, session_id],
  ]);
  await expect(ingest.record(broughtAlong(site, withdrawal))).rejects.toThrow(Overtaken);
  const ids = [first, withdrawal, other].map(({ decision }) => decision.consent_id);
  expect(await stored(site)).toMatchObject({ consents: ids, choices: [other.decision.consent_id], n: 3 });
});

test('of two that follow one choice at once the first is stored, and the other looks again', async () => {
  const site = siteWith();
  const first = decide(site);
  await ingest.record(first);
  const both = [broughtAlong(site, first), broughtAlong(site, first)];
  const results = await Promise.allSettled(both.map((entry) => ingest.record(entry)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const again = broughtAlong(site, first, both[0]?.decision.consent_id);
  await ingest.record(again);
  expect(await stored(site)).toMatchObject({ choices: [again.decision.consent_id], n: 3 });
});

test('a failure of its group leaves nothing of it', async () => {
  const site = siteWith();
  const first = decide(site);
  await ingest.record(first);
  const before = await stored(site);
  const next = broughtAlong(site, first);
  // No partition of that time is there.
  next.decision.recorded_at = new Date(clock.now() + 4_000 * 86_400_000).toISOString();
  await expect(ingest.record(next)).rejects.toThrow();
  expect(await stored(site)).toEqual(before);
});

test('a refusal that waited until the decision before it was taken along is the latest choice', async () => {
  const site = siteWith();
  const first = decide(site);
  first.decision.recorded_at = timeOfId(first.decision.consent_id).toISOString();
  await ingest.record(first);
  const { session_id } = first.decision;
  const refusal = decide(site, { session_id, decision: 'reject_all' });
  const taken = broughtAlong(site, first);
  // Made three seconds before what follows is taken along, and stored after it.
  taken.decision.recorded_at = new Date(Date.parse(refusal.decision.recorded_at) + 3_000).toISOString();
  await ingest.record(taken);
  await ingest.record({ ...refusal, arrivedAt: performance.now() - 5_000 });
  expect(await ingest.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
});

test('latest choices are stored in the order of their keys, whether they follow others or not', () => {
  const site = siteWith();
  const sessions = ['1', '2', '3', '4', '5'].map((digit) => randomUUID().replace(/^./, digit));
  const others = [0, 2, 4].map((at) => decide(site, { session_id: sessions[at] as string }));
  const follow = [3, 1].map((at) => broughtAlong(site, decide(site, { session_id: sessions[at] as string })));
  const rowOf = ({ decision }: (typeof others)[number]) => decision as unknown as StoredDecision;
  const late: Entry[] = [];
  const looks = choiceLooks(
    others.map(rowOf),
    { entries: follow, decisions: follow.map(rowOf) },
    { sent: null, late },
  );
  expect(looks.map(({ step }) => step.values[1]?.replace(/[{}"]/g, ''))).toEqual(sessions);
  looks[1]?.take([{}]);
  looks[3]?.take([]);
  expect(late).toEqual([follow[0]]);
});
