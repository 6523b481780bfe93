import { keepAudit } from '../../server/src/db/ledger/audits';
import { keepFailure, type Problem } from '../../server/src/db/ledger/vouchers';
import { tellMembers } from '../../server/src/jobs/notices';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { DAY, HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { startServer, type TestServer } from '../helpers/server';

jest.setTimeout(60_000);

const AUTHORITY = 'http://127.0.0.1:9/tsa';
// Nothing is sent or sealed but by the test.
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: { ...MAIL, ROLE: 'api', TIMESTAMP_URLS: AUTHORITY } });
});
afterAll(() => server?.stop());

const db = () => server.service.context.db;

/** The job so much later; it ran a minute before, unless it stood still itself. */
async function tell(later = 0, before = 60_000): Promise<void> {
  const now = new Date(Date.now() + later);
  const finished_at = new Date(now.getTime() - before);
  await db()('job_runs').insert({ name: 'notices', finished_at }).onConflict('name').merge();
  await tellMembers(server.service.context, now);
}

async function site() {
  const made = await server.site();
  await sealAll(server);
  return { ...made, id: await siteId(server, made.token) };
}
type Site = Awaited<ReturnType<typeof site>>;

/** What was mailed of the log at once, in order. */
async function toldOf(one: Site): Promise<string[]> {
  const noted = (await notedFor(server, one)).filter(({ topic }) => topic === 'evidence_failing');
  const mails = await db()('mails').where({ user_id: one.userId, kind: 'notice' });
  expect(mails.length).toBeGreaterThanOrEqual(noted.length > 0 ? 1 : 0);
  for (const { path, mailed_at } of noted)
    expect([path, mailed_at]).toEqual([`/sites/${one.token}/evidence`, expect.any(Date)]);
  return noted.map(({ message }) => message);
}

const sampled = ({ id }: Site, findings: number): Promise<unknown> =>
  keepAudit(
    db(),
    {
      ...{ environment_id: id, size: 4, at: new Date(), findings },
      problem: findings > 0 ? 'altered: consents' : null,
      ...{ damaged_from: null, damaged_to: null },
    },
    'altered: consents',
  );

test('records that do not fit the log are told once for each time, without what they are', async () => {
  const [one, fine] = [await site(), await site()];
  await sampled(one, 2);
  await sampled(fine, 0);
  await tell();
  await sampled(one, 3);
  await tell();
  expect(await toldOf(one)).toEqual([expect.stringMatching(/^Records and the evidence log do not fit/)]);
  expect(await toldOf(fine)).toEqual([]);
  await sampled(one, 0);
  await sampled(one, 1);
  await tell();
  expect(await toldOf(one)).toHaveLength(2);
});

const failed = ({ id }: Site, problem: Problem, voucher = AUTHORITY): Promise<unknown> => {
  const now = new Date();
  const next_at = new Date(now.getTime() + HOUR);
  return keepFailure(
    db(),
    { environment_id: id, vouched: 4, failures: 0 },
    { voucher, problem, now, next_at },
  );
};

test('a time-stamp that fails is told after a day, of vouchers that are configured', async () => {
  const [one, left] = [await site(), await site()];
  const { name } = server.service.context.config.timestampUrls[0] as { name: string };
  await failed(one, 'unreachable', name);
  await failed(left, 'unreachable', 'https://gone.example/tsa');
  await tell(23 * HOUR);
  expect(await toldOf(one)).toEqual([]);
  for (const hours of [25, 26]) await tell(hours * HOUR);
  expect(await toldOf(one)).toEqual([expect.stringMatching(/time-stamping authority has not vouched/)]);
  expect(await toldOf(left)).toEqual([]);
});

test.each(['larger_tree', 'other_tree'] as const)(
  'a log that was rolled back or forked is told at once (%s)',
  async (problem) => {
    const one = await site();
    await failed(one, problem);
    await tell();
    await tell(26 * HOUR);
    expect(await toldOf(one)).toEqual([
      expect.stringMatching(/^The evidence log is not the one that was signed before: it was rolled back/),
    ]);
  },
);

test('sealing that stands still for a day is told; while it catches up after a gap, nothing is', async () => {
  const [stuck, moving] = [await site(), await site()];
  await decide(server, stuck.token);
  await decide(server, moving.token);
  await tell(DAY - HOUR);
  expect(await toldOf(stuck)).toEqual([]);
  await tell(DAY + HOUR, 2 * HOUR);
  expect(await toldOf(stuck)).toEqual([]);
  // Something was sealed meanwhile: it catches up.
  await db()('ledger_heads')
    .where({ environment_id: moving.id })
    .update({ sealed_at: new Date(Date.now() + DAY) });
  await tell(DAY + HOUR);
  await tell(DAY + 2 * HOUR);
  expect(await toldOf(stuck)).toEqual([
    expect.stringMatching(/^For more than a day nothing was sealed in the evidence log, though records wait/),
  ]);
  expect(await toldOf(moving)).toEqual([]);
});
