import { randomBytes, randomUUID } from 'node:crypto';
import { DomainProofRow } from '../../server/src/db/models';
import { checkDomains } from '../../server/src/jobs/domains';
import { applyRetention } from '../../server/src/jobs/retention';
import { startScheduledScans } from '../../server/src/jobs/scan-schedules';
import { countScans } from '../../server/src/jobs/scans';
import { layOut } from '../../server/src/mail/layout';
import { MailSender } from '../../server/src/mail/mail-sender';
import { queueMail } from '../../server/src/mail/queue-mail';
import type { Smtp } from '../../server/src/mail/smtp';
import { PutOff } from '../../server/src/webhooks/put-off';
import { doInTurns, ENDING, type Part } from '../../server/src/webhooks/turns';
import { addTrigger } from '../helpers/cluster/instruments';
import { siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';
import { someRequest } from '../helpers/site/attachments';
import { prove } from '../helpers/site/proofs';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DAY = 86_400_000;
// Runs no job by itself.
const server = useServer({ variables: { ROLE: 'api' } });
const context = () => server.service.context;
const db = () => context().db;

async function site(of = server.site()) {
  const made = await of;
  return { ...made, id: await siteId(server, made.token) };
}

const removers: (() => Promise<void>)[] = [];

/** From now on a kind of write of one site's rows ends there as one that lost against another. */
async function spoil(table: string, event: 'INSERT' | 'UPDATE' | 'DELETE', id: string): Promise<void> {
  const condition = `${event === 'DELETE' ? 'OLD' : 'NEW'}.environment_id = '${id}'`;
  const body = "RAISE 'spoilt' USING ERRCODE = '40P01';";
  const trigger = { name: `spoil_${table}`, table, event: `BEFORE ${event}`, condition, body };
  removers.push(await addTrigger(server.databaseUrl, trigger));
}

/** The sites that were named in what was logged. */
function watchLog(): string[] {
  const named: string[] = [];
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(context().log, level).mockImplementation((fields: unknown) => {
      named.push((fields as { environment_id: string }).environment_id);
    });
  return named;
}

afterEach(async () => {
  jest.restoreAllMocks();
  for (const remove of removers.splice(0)) await remove();
});

/** A deadlock, a conflict of serialisation, and a lock that was not granted in time. */
const OF_ONE_ALONE = ['40P01', '40001', '55P03'];

test.each(['22P02', ...OF_ONE_ALONE])(
  'of work in turns, what fails with %s is told and keeps nobody else from their turn, not even the sites beside it',
  async (code) => {
    const bad = await site();
    const { token } = await bad.client.createEnvironment({
      body: { name: 'Beside', domain: 'b.example.com' },
    });
    const [beside, other] = [await siteId(server, token), (await site()).id];
    const rows = [bad.id, beside, other].map((environment_id, n) => ({
      environment_id,
      advanced_at: new Date(n),
    }));
    const failed: string[] = [];
    const doPart = async ({ environment_id }: { environment_id: string }): Promise<Part<string>> => {
      if (environment_id === bad.id) throw Object.assign(new Error('spoilt'), { code });
      return { done: [environment_id], more: false };
    };
    const fail = (_: unknown, environment_id: string): void => void failed.push(environment_id);
    const { done } = await doInTurns(db(), rows, () => true, doPart, { ...ENDING, fail });
    expect(done.sort()).toEqual([beside, other].sort());
    expect(failed).toEqual([bad.id]);
  },
);

test('what fails slowly takes the time of one round, and is put off for longer each time', async () => {
  const [bad, good] = [(await site()).id, (await site()).id];
  const rows = [bad, good].map((environment_id, n) => ({ environment_id, advanced_at: new Date(n) }));
  let now = 0;
  const putOff = new PutOff(() => now);
  const failures = {
    isPutOff: (id: string) => putOff.has(id),
    // As often as a site has parts that fail in a round.
    fail: (_: unknown, id: string) => {
      for (let parts = 0; parts < 3; parts += 1) putOff.add(id);
    },
  };
  /** Who was tried: nothing is left of the time of a round in which the bad one was. */
  const round = async (): Promise<string[]> => {
    const tried: string[] = [];
    const doPart = async ({ environment_id }: { environment_id: string }): Promise<Part<string>> => {
      tried.push(environment_id);
      if (environment_id === bad) throw Object.assign(new Error('locked'), { code: '55P03' });
      return { done: [], more: false };
    };
    await doInTurns(db(), rows, () => !tried.includes(bad), doPart, failures);
    return tried;
  };
  for (const wait of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    expect(await round()).toEqual([bad]);
    expect(await round()).toEqual([good]);
    now += wait - 1;
    expect(await round()).toEqual([good]);
    now += 1;
  }
  // Whoever has not failed for as long as that begins anew.
  now += 60_000;
  expect(await round()).toEqual([bad]);
  now += 10_000;
  expect(await round()).toEqual([bad]);
});

test('whoever began an account waits for no more than their part, whatever those have waiting whom they invited', async () => {
  const [own, theirs] = [await site(), await site()];
  await db()('users').where({ id: theirs.userId }).update({ sponsor_id: own.userId });
  // Longest ago, and each done at once: nothing is left of it that would tell of a turn.
  let waiting = Array.from({ length: 60 }, (_, n) => ({
    ...{ environment_id: theirs.id, advanced_at: new Date(n) },
  }));
  const mine = { environment_id: own.id, advanced_at: new Date() };
  for (let isDone = false; !isDone; ) {
    const doPart = async (row: (typeof waiting)[number]): Promise<Part<string>> => {
      isDone ||= row === mine;
      waiting = waiting.filter((one) => one !== row);
      return { done: [], more: true };
    };
    await doInTurns(db(), [...waiting, mine], () => true, doPart, ENDING);
  }
  expect(waiting.length).toBeGreaterThan(0);
});

test('without a database nobody else has their turn', async () => {
  const rows = [(await site()).id, (await site()).id].map((environment_id, n) => ({
    environment_id,
    advanced_at: new Date(n),
  }));
  const tried: string[] = [];
  const doPart = async ({ environment_id }: { environment_id: string }): Promise<undefined> => {
    tried.push(environment_id);
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  };
  await expect(
    doInTurns(db(), rows, () => true, doPart, { ...ENDING, fail: () => undefined }),
  ).rejects.toThrow('away');
  expect(tried).toHaveLength(1);
});

test('a page whose scan cannot be started keeps no other from its turn', async () => {
  const [bad, good] = [await site(), await site()];
  for (const { token, client } of [bad, good]) {
    await prove(server, token, ['shop.example.com']);
    await client.setScanSchedule({ token, body: { every: 'daily', pages: ['https://shop.example.com/'] } });
  }
  await db()('scheduled_pages')
    .where({ environment_id: bad.id })
    .update({ next_at: new Date(0) });
  await spoil('cookie_scans', 'INSERT', bad.id);
  const named = watchLog();
  await expect(startScheduledScans(context(), new Date(Date.now() + 2 * DAY))).rejects.toThrow('1 sites');
  expect((await good.client.listScans({ token: good.token })).items).toHaveLength(1);
  expect(named).toEqual([bad.id]);
});

test('a domain whose check fails keeps no other from being checked', async () => {
  await db()('environments').update({ status: 'paused' });
  const all = await Promise.all(Array.from({ length: 12 }, () => site()));
  const bad = all.slice(0, 6);
  const asked: string[] = [];
  const named = watchLog();
  const { log } = context();
  const proving = async ({ token }: { token: string }) => {
    asked.push(token);
    if (bad.some((one) => one.token === token)) throw Object.assign(new Error('spoilt'), { code: '40P01' });
    return 'dns' as const;
  };
  await expect(checkDomains(db(), log, proving, new Date(Date.now() + DAY))).rejects.toThrow('spoilt');
  expect(asked.sort()).toEqual(all.map(({ token }) => token).sort());
  expect(await DomainProofRow.query(db()).where({ method: 'dns' }).resultSize()).toBeGreaterThanOrEqual(6);
  expect(bad.map(({ id }) => id)).toContain(named[0]);
  expect(named).toHaveLength(1);
});

test('a scan of the version before that cannot be counted keeps those of no other site from it', async () => {
  const [one, two] = [await site(), await site()];
  const [bad, good] = one.id < two.id ? [one.id, two.id] : [two.id, one.id];
  for (const environment_id of [bad, good])
    await db()('cookie_scans').insert({
      ...{ scan_id: randomUUID(), environment_id, url: 'https://shop.example.com/', state: 'done' },
      ...{ domain: 'shop.example.com', runs: 1, created_at: new Date(), counted: false },
    });
  await spoil('cookie_scans', 'UPDATE', bad);
  const named = watchLog();
  await expect(countScans(db(), context().log)).rejects.toThrow('1 sites');
  const left = await db()('cookie_scans').where({ counted: false, state: 'done' }).pluck('environment_id');
  expect(left).toEqual([bad]);
  expect(named).toEqual([bad]);
});

test('what lasts a short time: a file that cannot be deleted keeps nothing else from being', async () => {
  const [bad, good] = [await site(), await site()];
  for (const { token, client, id } of [bad, good]) {
    const request_id = await someRequest(server.visitor, token);
    const body = { name: 'data.txt', content_type: 'text/plain', bytes: 3 } as const;
    await client.createAnswerFile({ token, request_id, body });
    await db()('answer_files')
      .where({ environment_id: id })
      .update({ expires_at: new Date(0) });
  }
  await db()('ended_sessions').insert({ token_hash: randomBytes(32), expires_at: new Date(0) });
  await spoil('answer_files', 'DELETE', bad.id);
  const named = watchLog();
  await expect(applyRetention(db(), context().log, new Date())).rejects.toThrow('spoilt');
  expect(await db()('answer_files').pluck('environment_id')).toEqual([bad.id]);
  expect(await db()('ended_sessions').where('expires_at', new Date(0))).toEqual([]);
  expect(named).toEqual([bad.id]);
});

test('a site whose retention fails is named once, and keeps no other from its own', async () => {
  const [bad, good] = [await site(), await site()];
  const old = new Date(Date.now() - 3_000 * DAY);
  for (const { id } of [bad, good])
    await db().raw(
      `INSERT INTO session_choices SELECT ?::uuid, gen_random_uuid(), gen_random_uuid(), 'accept_all', '{}', '1', ?, now()`,
      [id, old],
    );
  await spoil('session_choices', 'DELETE', bad.id);
  const named = watchLog();
  await expect(applyRetention(db(), context().log, new Date())).rejects.toThrow('spoilt');
  expect(await db()('session_choices').pluck('environment_id')).toEqual([bad.id]);
  expect(named).toEqual([bad.id]);
});

test('a site whose mails cannot be claimed keeps no other from sending theirs', async () => {
  const [bad, good] = [await site(), await site()];
  const { db: knex, vault, log } = context();
  const sent: string[] = [];
  const smtp = {
    send: async ({ content }: { content: { to: string } }) => {
      sent.push(content.to);
      return { result: 'sent', response: 250, error: null };
    },
    close: () => undefined,
  };
  await knex('mails').delete();
  for (const { id } of [bad, good])
    await knex.transaction((trx) =>
      queueMail(context().mail, trx, {
        ...{ kind: 'notice', audience: 'member', cause: undefined, environmentId: id, content: parts(id) },
      }),
    );
  await knex('mails').update({ state: 'pending', due_at: new Date(0) });
  await knex('mails')
    .where({ environment_id: bad.id })
    .update({ due_at: new Date(-1) });
  await spoil('mails', 'UPDATE', bad.id);
  const named = watchLog();
  const sender = new MailSender({
    ...{ db: knex, vault, log, schedule: [60], secret: async () => randomBytes(32) },
    smtp: smtp as unknown as Smtp,
  });
  sender.start();
  await until('the mail of the other site', () => sent.length > 0);
  await sender.stop();
  expect(sent).toEqual([`${good.id}@visitor.example`]);
  expect(new Set(named)).toEqual(new Set([bad.id]));
});

const parts = (name: string) => ({
  ...layOut({ language: 'en', subject: 'A subject', heading: 'A heading', paragraphs: ['Words.'] }),
  to: `${name}@visitor.example`,
});
