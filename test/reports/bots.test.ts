import { randomUUID } from 'node:crypto';
import { post } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

const server = useServer();
const BOT = 'Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)';
const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

test('bots are left out of every figure when asked, and told apart all the same', async () => {
  const { client, token } = await server.site({});
  const visit = async (agent: string, decision: string) => {
    const headers = { 'User-Agent': agent };
    await post(server.url, `/api/impressions/${token}`, {}, headers);
    const body = { session_id: randomUUID(), decision };
    const { status, text } = await post(server.url, `/api/consents/${token}/log`, body, headers);
    expect([status, text]).toEqual([201, expect.any(String)]);
  };
  await visit(PERSON, 'reject_all');
  for (let time = 0; time < 3; time += 1) await visit(BOT, 'accept_all');
  const everybody = await client.getAnalytics({ token, group_by: 'device' });
  expect(everybody.totals).toMatchObject({ decisions: 4, accept_all: 3, opt_in_rate: 0.75 });
  const people = await client.getAnalytics({ token, group_by: 'device', bots: false });
  expect(people.totals).toMatchObject({ decisions: 1, accept_all: 0, opt_in_rate: 0 });
  expect(people.series.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(1);
  expect(people.groups.map(({ key }) => key)).toEqual(['desktop']);
  expect(people.by_language.map(({ decisions }) => decisions)).toEqual([1]);
  const devices = (report: typeof people) => report.by_device.map(({ key, decisions }) => [key, decisions]);
  expect(devices(people)).toEqual([
    ['desktop', 1],
    ['bot', 3],
  ]);
  expect(devices(everybody).sort()).toEqual(devices(people).sort());
});
