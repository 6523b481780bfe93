import type { Knex } from 'knex';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { DsarRow, EnvironmentRow } from '../../server/src/db/models';
import { idAt, newId } from '../../server/src/domain/ids';
import { SealedSteps } from '../../server/src/domain/ledger/sealed-steps';
import { auditSite } from '../../server/src/ledger/audit';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { unassignAll } from '../../server/src/services/dsar-assignees';
import { disownRequest, verifyAddress } from '../../server/src/services/mail/requester-links';
import { readPack } from '../helpers/ledger/read-pack';
import { sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';

jest.setTimeout(120_000);

const HOUR = 3_600_000;
const server = useServer({ variables: { ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
const metrics = { compared: () => undefined, damaged: () => undefined };

async function newSite() {
  const site = await server.site();
  const { id } = await db()('environments').where({ token: site.token }).first('id');
  return { ...site, id };
}
type Site = Awaited<ReturnType<typeof newSite>>;

async function found({ id, token }: Site): Promise<string[]> {
  const audit = (trx: Knex) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db()) });
  const findings = await db().transaction(audit);
  return findings.all().map(({ damage, text }) => `${damage}: ${text}`);
}

const warned = async ({ id }: Site): Promise<string | undefined> =>
  (await db()('ledger_audits').where({ environment_id: id }).first('problem'))?.problem;

async function sample(hours: number): Promise<void> {
  const now = new Date(Date.now() + hours * HOUR);
  const { log } = server.service.context;
  await auditSamples({ db: db(), log, metrics }, now, new AbortController().signal);
}

const changed = (kind: string, id: string, step: number, ...fields: string[]) =>
  `altered: ${kind} ${id} was changed beside this server before step ${step} (${fields.join(', ')})`;

/** A time of a row, so many days later: as a value, since a cluster takes no statement that adds an interval. */
async function later(row: Knex.QueryBuilder, name: string, days: number): Promise<Date> {
  const { [name]: time } = await row.clone().first(name);
  return new Date((time as Date).getTime() + 24 * days * HOUR);
}

/** Steps, and those who take them. */
const STEPS: [what: string, take: (site: Site, request_id: string) => Promise<unknown>][] = [
  ['an owner starts it', ({ client, token }, request_id) => client.startDsar({ token, request_id })],
  [
    'an owner extends it',
    ({ client, token }, request_id) =>
      client.extendDsar({ token, request_id, body: { reason: 'An archive.' } }),
  ],
  [
    'an owner answers it',
    ({ client, token }, request_id) =>
      client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } }),
  ],
  [
    'an owner takes it, with others',
    ({ client, token }, request_id) =>
      client.assignDsars({ token, body: { request_ids: [request_id], assignee: 'me' } }),
  ],
  ['the requester opens a link', ({ id }, request_id) => click(id, request_id, verifyAddress)],
  ['the requester disowns it', ({ id }, request_id) => click(id, request_id, disownRequest)],
];

async function click(
  id: string,
  request_id: string,
  say: typeof verifyAddress | typeof disownRequest,
): Promise<void> {
  const site = await EnvironmentRow.query(db()).findById(id);
  const row = await DsarRow.query(db()).findById([id, request_id]);
  if (site === undefined || row === undefined) throw new Error('the request is not there');
  await say(server.service.context, { site, row });
}

describe('a request that was changed in the database', () => {
  test.each(STEPS)('takes its step, and that it was changed stays a finding: %s', async (_, take) => {
    const site = await newSite();
    const { request_id } = await submit(server, site.token);
    await sealAll(server);
    const row = () => db()('dsar_requests').where({ request_id });
    const { due_at } = await row().first();
    await row().update({ due_at: await later(row(), 'due_at', 40), message: 'Something else.' });
    await take(site, request_id);
    await sealAll(server);
    expect((await row().first()).history).toHaveLength(2);
    const finding = changed('request', request_id, 2, 'due_at', 'message');
    expect(await found(site)).toEqual([finding]);
    expect(await warned(site)).toMatch(/^altered: request .* before a step: due_at, message$/);
    await sample(1);
    expect(await warned(site)).toBe(finding);
    // Nor is it undone by putting it back, or by a further step.
    await row().update({ due_at });
    await click(site.id, request_id, disownRequest);
    await sealAll(server);
    expect(await found(site)).toContainEqual(expect.stringContaining('before step 2 (due_at, message)'));
  });

  test.each<[field: string, value: (id: string) => unknown]>([
    ['created_at', (request_id) => later(db()('dsar_requests').where({ request_id }), 'created_at', 1)],
    ['received_on', () => '2026-01-01'],
    ['email', () => 'other@example.com'],
    ['name', () => 'Somebody'],
    ['language', () => 'xx'],
    ['channel', () => 'letter'],
    ['request_type', () => 'objection'],
    ['extension_reason', () => 'None.'],
    ['possible_duplicate_of', (id) => id],
  ])('%s is compared before a step', async (field, value) => {
    const site = await newSite();
    const { request_id } = await submit(server, site.token);
    await db()('dsar_requests')
      .where({ request_id })
      .update({ [field]: await value(request_id) });
    await site.client.startDsar({ token: site.token, request_id });
    expect(await found(site)).toEqual([changed('request', request_id, 2, field)]);
  });

  test('together with what was sealed of it, which is put back after the step', async () => {
    const site = await newSite();
    const { request_id } = await submit(server, site.token);
    await sealAll(server);
    const fact = () => db()('ledger_facts').where({ subject: request_id });
    const { fact_id, statement } = await fact().first();
    const said = JSON.parse(statement);
    const due = '2031-01-01T00:00:00.000Z';
    said.record.request.due_at = due;
    await fact().update({ statement: JSON.stringify(said) });
    await db()('dsar_requests').where({ request_id }).update({ due_at: due });
    await site.client.startDsar({ token: site.token, request_id });
    await fact().where({ fact_id }).update({ statement });
    await sealAll(server);
    expect(await found(site)).toEqual([changed('request', request_id, 2, 'due_at')]);
  });

  test('when a member is removed who works on it', async () => {
    const site = await newSite();
    const { client, token, id, userId } = site;
    const { request_id } = await submit(server, token);
    await client.assignDsar({ token, request_id, body: { assignee: 'me' } });
    await db()('dsar_requests').where({ request_id }).update({ name: 'Somebody' });
    const who = { environment_id: id, user_id: userId };
    await db().transaction((trx) => unassignAll(trx, who, { userId, email: site.email }, 'removed'));
    expect(await found(site)).toEqual([changed('request', request_id, 3, 'name')]);
  });

  test('when its texts are erased: what was sealed before goes, that it was changed stays, without a word', async () => {
    const site = await newSite();
    const { client, token } = site;
    const email = 'ada.altered@example.com';
    const { request_id } = await submit(server, token, { email, name: 'Ada Altered' });
    const row = () => db()('dsar_requests').where({ request_id });
    await row().update({ due_at: await later(row(), 'due_at', 40) });
    await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
    const history = db().raw(`jsonb_set(history, '{0,at}', '"2026-01-01T00:00:00.000Z"')`);
    await row().update({ history, resolved_at: await later(row(), 'resolved_at', 1) });
    await client.eraseSubject({ token, body: { subject: { email } } });
    await sealAll(server);
    const [fact, ...others] = await db()('ledger_facts').where({ subject: request_id });
    expect(others).toEqual([]);
    expect(fact.statement).not.toContain('Ada Altered');
    expect(await found(site)).toEqual([
      changed('request', request_id, 1, 'due_at', 'history', 'resolved_at'),
    ]);
  });
});

describe('the order of steps', () => {
  const facts = (subject: string) => db()('ledger_facts').where({ subject }).orderBy('fact_id');

  /** Two steps change places, in what was sealed and in the history. */
  async function swap(request_id: string, [one, other]: [number, number]): Promise<void> {
    const all = await facts(request_id);
    const place = (n: number) => ({ fact_id: all[n].fact_id, at: all[n].at });
    const spare = { fact_id: newId(), at: new Date() };
    const put = (from: object, to: object) =>
      db()('ledger_facts')
        .where({ subject: request_id, ...from })
        .update(to);
    await put({ fact_id: place(one).fact_id }, spare);
    await put({ fact_id: place(other).fact_id }, place(one));
    await put({ fact_id: spare.fact_id }, place(other));
    const { history } = await db()('dsar_requests').where({ request_id }).first('history');
    [history[one], history[other]] = [history[other], history[one]];
    const outcome = JSON.parse(all[one].statement).record.request;
    const { resolution, resolution_note, resolved_at } = outcome;
    await db()('dsar_requests')
      .where({ request_id })
      .update({ history: JSON.stringify(history), resolution, resolution_note, resolved_at });
  }

  test('an earlier outcome put in the place of the last one is found, however close they are', async () => {
    const site = await newSite();
    const { client, token } = site;
    const { request_id } = await submit(server, token);
    const ids = { token, request_id };
    await client.resolveDsar({ ...ids, body: { resolution: 'fulfilled' } });
    await client.reopenDsar({ ...ids, body: { reason: 'The wrong one.' } });
    await client.resolveDsar({ ...ids, body: { resolution: 'refused', note: 'Not theirs.' } });
    await sealAll(server);
    expect(await found(site)).toEqual([]);
    await swap(request_id, [1, 3]);
    const finding = `altered: the steps of request ${request_id} are not in the order in which they were sealed: 3, 4`;
    expect(await found(site)).toEqual([finding]);
    await sample(1);
    expect(await warned(site)).toBe(finding);
  });

  test('a step that does not fit the time of its fact is found, and told before the next one', async () => {
    const site = await newSite();
    const { client, token } = site;
    const { request_id } = await submit(server, token);
    await sealAll(server);
    const [fact] = await facts(request_id);
    const at = new Date(fact.at.getTime() - 6 * 60_000);
    await db()('ledger_facts')
      .where({ subject: request_id })
      .update({ fact_id: idAt(at), at });
    expect(await found(site)).toContain(
      `altered: the steps of request ${request_id} are not in the order in which they were sealed: 1`,
    );
    await client.startDsar({ token, request_id });
    await db()('ledger_facts')
      .where({ fact_id: idAt(at) })
      .update({ fact_id: fact.fact_id, at: fact.at });
    await sealAll(server);
    expect(await found(site)).toEqual([changed('request', request_id, 2, 'history')]);
  });

  test('what is far apart is told by the times alone, before it has a leaf; clocks may be off by minutes', () => {
    const misplaced = (...steps: [fact: string, stated: string, isImported?: boolean][]): number[] => {
      const read = new SealedSteps('dsar');
      for (const [fact, at, isImported = false] of steps)
        read.add({
          fact_id: idAt(new Date(`2026-${fact}Z`)),
          step: { step: 'x', at: `2026-${at}Z` },
          isImported,
        });
      return read.misplaced;
    };
    const [january, may] = ['01-10T10:00', '05-10T10:00'];
    expect(misplaced([january, january], [may, may])).toEqual([]);
    expect(misplaced([january, may], [may, january])).toEqual([1, 2]);
    expect(misplaced([may, may], ['05-10T10:01', '05-10T09:57'])).toEqual([]);
    expect(misplaced([may, may], ['05-10T10:04', '05-10T09:54'])).toEqual([2]);
    expect(misplaced(['05-10T13:00', may, true], ['05-10T13:01', '05-10T13:01'])).toEqual([]);
  });
});

describe('a breach that was changed in the database', () => {
  test.each<[what: string, take: (site: Site, breach_id: string) => Promise<unknown>]>([
    [
      'its title is changed',
      ({ client, token }, breach_id) => client.updateBreach({ token, breach_id, body: { title: 'Other' } }),
    ],
    [
      'its deadline is moved',
      ({ client, token }, breach_id) =>
        client.updateBreach({ token, breach_id, body: { aware_at: new Date().toISOString() } }),
    ],
    ['it is reported', ({ client, token }, breach_id) => client.reportBreach({ token, breach_id, body: {} })],
    [
      'it is judged to need no report',
      ({ client, token }, breach_id) =>
        client.markBreachNotReportable({ token, breach_id, body: { reason: 'Encrypted.' } }),
    ],
  ])('takes its step, and that it was changed stays a finding: %s', async (_, take) => {
    const site = await newSite();
    const { breach_id } = await site.client.createBreach({ token: site.token, body: breachInput() });
    await sealAll(server);
    const row = () => db()('breaches').where({ breach_id });
    const aware_at = await later(row(), 'aware_at', -2);
    await row().update({ aware_at, notify_by: await later(row(), 'notify_by', 9) });
    await take(site, breach_id);
    await sealAll(server);
    expect(await found(site)).toEqual([changed('breach', breach_id, 2, 'aware_at', 'notify_by')]);
    await sample(1);
    expect(await warned(site)).toBe(changed('breach', breach_id, 2, 'aware_at', 'notify_by'));
  });
});

test('every step of requests and breaches that people take is no finding', async () => {
  const site = await newSite();
  const { client, token, id, userId, email } = site;
  const { request_id } = await submit(server, token, { email: 'bea@example.com' });
  const ids = { token, request_id };
  await click(id, request_id, verifyAddress);
  await click(id, request_id, disownRequest);
  await click(id, request_id, verifyAddress);
  await client.assignDsar({ ...ids, body: { assignee: 'me' } });
  await client.startDsars({ token, body: { request_ids: [request_id] } });
  await client.extendDsar({ ...ids, body: { reason: 'Many, and large.' } });
  const who = { environment_id: id, user_id: userId };
  await db().transaction((trx) => unassignAll(trx, who, { userId, email }, 'removed'));
  await client.resolveDsar({ ...ids, body: { resolution: 'fulfilled', answer: 'Here.', mail: false } });
  await client.reopenDsar({ ...ids, body: { reason: 'The wrong one.' } });
  await client.resolveDsar({ ...ids, body: { resolution: 'fulfilled', note: 'Sent.' } });
  await client.eraseSubject({ token, body: { subject: { email: 'bea@example.com' } } });
  await client.reopenDsar({ ...ids, body: { reason: 'Again.' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput() });
  const body = { title: 'Laptops', aware_at: new Date().toISOString(), severity: 'low' as const };
  await client.updateBreach({ token, breach_id, body });
  await client.updateBreach({ token, breach_id, body: { aware_at: body.aware_at, affected_subjects: 3 } });
  await client.markBreachNotReportable({ token, breach_id, body: { reason: 'Encrypted.' } });
  await client.updateBreach({ token, breach_id, body: { measures: 'Told them, twice.' } });
  await client.reopenBreach({ token, breach_id, body: { reason: 'Not all of it.' } });
  await client.reportBreach({ token, breach_id, body: { authority: 'CNIL' } });
  await client.updateBreach({ token, breach_id, body: { nature: 'Theft' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await warned(site)).toBeUndefined();
  await sample(1);
  expect(await warned(site)).toBeNull();
  const pack = readPack(await (await client.exportEvidence({ token, request_id })).arrayBuffer());
  expect(pack.records('dsar').every(({ record }) => !('altered' in record))).toBe(true);
});
