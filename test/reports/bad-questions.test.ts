import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

let token: string;
let bearer: string;
const server = useServer({ variables: { ROLE: 'api' } });
beforeAll(async () => {
  const owner = await server.site();
  token = owner.token;
  bearer = (await server.service.context.tokens.issue(owner.userId)).token;
});

async function ask(report: string, query: Record<string, string>) {
  const search = new URLSearchParams(query).toString();
  const path = `/api/cookies/${token}/${report}?${search}`;
  const { status, json } = await raw(server.url, { path, headers: { Authorization: `Bearer ${bearer}` } });
  const errors: { path: string }[] = json?.data?.errors ?? [];
  return { status, code: json?.data?.code, paths: [...new Set(errors.map((error) => error.path))] };
}
const on = (day: string) => `${day}T00:00:00.000Z`;

test.each<[string, Record<string, string>, string]>([
  ['from after to', { from: on('2026-03-02'), to: on('2026-03-01') }, 'query.from'],
  ['from equal to to', { from: on('2026-03-01'), to: on('2026-03-01') }, 'query.from'],
  ['from in the future, to left out', { from: '2099-01-01T00:00:00Z' }, 'query.from'],
  ['five years and a millisecond', { from: on('2021-03-01'), to: '2026-03-01T00:00:00.001Z' }, 'query.from'],
  ['a century', { from: on('2000-01-01'), to: on('2099-12-31') }, 'query.from'],
  [
    'hours over more than 93 days',
    { from: on('2026-01-01'), to: on('2026-04-05'), interval: 'hour' },
    'query.interval',
  ],
  [
    'hours by group',
    { from: on('2026-01-01'), to: on('2026-01-02'), interval: 'hour', group_by: 'device' },
    'query.group_by',
  ],
  [
    'hours without bots',
    { from: on('2026-01-01'), to: on('2026-01-02'), interval: 'hour', bots: 'false' },
    'query.bots',
  ],
  ['an unknown interval', { interval: 'quarter' }, 'query.interval'],
  ['an unknown grouping', { group_by: 'country' }, 'query.group_by'],
  ['no instant', { from: 'yesterday' }, 'query.from'],
  ['a day that is none', { from: on('2026-02-30') }, 'query.from'],
  ['a year before 2000', { from: on('1999-12-31') }, 'query.from'],
  ['a year after 2099', { to: on('2100-01-01') }, 'query.to'],
  ['no zone', { from: '2026-01-01T00:00:00' }, 'query.from'],
  ['an unknown parameter', { time_zone: 'Europe/Berlin' }, 'query.time_zone'],
])('analytics refuses %s', async (_, query, path) => {
  expect(await ask('analytics', query)).toEqual({ status: 400, code: 'validation_failed', paths: [path] });
});

test.each<[string, Record<string, string>]>([
  ['five years to the millisecond', { from: on('2021-03-01'), to: on('2026-03-01') }],
  ['93 days of hours', { from: on('2026-01-01'), to: on('2026-04-04'), interval: 'hour' }],
  [
    'the first month that has one before',
    { from: on('2000-02-01'), to: on('2000-03-01'), interval: 'month' },
  ],
  ['the last day', { from: on('2099-12-30'), to: '2099-12-30T23:59:59.999Z' }],
])('analytics takes %s', async (_, query) => {
  expect((await ask('analytics', query)).status).toBe(200);
});

test.each<[string, Record<string, string>, string]>([
  ['the end of time', { from: '2099-12-31T23:00:00Z', to: '2099-12-31T23:59:59.999Z' }, 'query.to'],
  ['a period before that began before time', { from: on('2000-01-02'), to: on('2000-01-10') }, 'query.from'],
  [
    'a month that began before time',
    { from: '2000-01-01T00:00:00+14:00', to: on('2000-01-03') },
    'query.from',
  ],
])('what no answer could tell is refused: %s', async (_, query, path) => {
  expect(await ask('analytics', { ...query, interval: 'month' })).toMatchObject({
    status: 400,
    paths: [path],
  });
});

test('the records of processing refuse an unknown format', async () => {
  for (const format of ['pdf', 'JSON', ''])
    expect(await ask('ropa-export', { format })).toEqual({
      status: 400,
      code: 'validation_failed',
      paths: ['query.format'],
    });
});

test('the compliance score takes no parameter', async () => {
  expect(await ask('compliance-score', { from: on('2026-01-01') })).toMatchObject({
    status: 400,
    paths: ['query.from'],
  });
});

test.each(['Europe/Atlantis', 'Mars/Olympus', 'CET+1', 'europe', 'Etc/GMT+99'])(
  'a site in the unknown time zone %s is refused',
  async (time_zone) => {
    const { client } = await server.person();
    const body = { name: 'x', domain: 'x.example', settings: { time_zone } };
    await expect(client.createEnvironment({ body })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'body.settings.time_zone' }],
    });
  },
);
