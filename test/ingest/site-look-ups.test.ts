import { setImmediate as turn } from 'node:timers/promises';
import { newEnvironmentToken, newId } from '../../server/src/domain/ids';
import { Sites } from '../../server/src/ingest/sites';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

afterEach(() => jest.restoreAllMocks());

const newSites = () => new Sites(server.service.context.visitorDb, server.service.context.log);

/** What a test must reach into to hold a look-up back after it has read. */
interface Reading {
  withWebhooks(rows: unknown[]): Promise<unknown[]>;
}

/** Begins to look up a site, and stops when it is read. */
async function heldLookUp(sites: Sites, token: string) {
  const inside = sites as unknown as Reading;
  const read = inside.withWebhooks.bind(inside);
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let lookUp: Promise<unknown> | undefined;
  await new Promise<void>((reached) => {
    jest.spyOn(inside, 'withWebhooks').mockImplementationOnce(async (rows) => {
      const found = await read(rows);
      reached();
      await held;
      return found;
    });
    lookUp = sites.find(token);
  });
  return async () => {
    goOn();
    await lookUp;
  };
}

test('a site is kept although another one was forgotten while it was read', async () => {
  const [one, other] = await Promise.all([server.site(), server.site()]);
  const sites = newSites();
  const end = await heldLookUp(sites, one.token);
  sites.forget(other.token);
  await end();
  expect(sites.lastKnown(one.token)?.token).toBe(one.token);
});

test('a site that was forgotten while it was read is not kept', async () => {
  const { token } = await server.site();
  const sites = newSites();
  const end = await heldLookUp(sites, token);
  sites.forget(token);
  await end();
  expect(sites.lastKnown(token)).toBeUndefined();
});

/** So many further sites of whoever made this one, whose visitors are shown long texts. */
async function largeSites(token: string, n: number): Promise<string[]> {
  const { db } = server.service.context;
  const { changed_in: _, settings, ...row } = await db('environments').where({ token }).first();
  // Texts that cannot be packed.
  const text = () =>
    Array.from({ length: 1_000 }, () => String.fromCharCode(97 + Math.random() * 26)).join('');
  const categories = Array.from({ length: 30 }, (_, at) => ({
    ...{ key: `c${at}`, name: 'Name', description: text(), required: false },
  }));
  const rows = Array.from({ length: n }, () => ({
    ...{ ...row, id: newId(), token: newEnvironmentToken(), bundles: '[]' },
    settings: JSON.stringify({ ...settings, categories }),
  }));
  await db('environments').insert(rows);
  return rows.map((one) => one.token);
}

test('of settings a look-up reads what visitors need, whatever an owner writes into the others', async () => {
  const { client, token } = await server.site();
  const text = 'l'.repeat(300);
  await client.updateEnvironment({
    token,
    body: {
      settings: {
        security_measures: Array.from({ length: 100 }, () => text),
        processing_activities: Array.from({ length: 200 }, (_, n) => ({
          ...{ name: `Activity ${n}`, purposes: [text, text], lawful_basis: 'consent' as const },
          ...{ subject_categories: [], data_categories: [], recipients: [], transfers: text.repeat(5) },
        })),
      },
    },
  });
  const { visitorDb } = server.service.context;
  let read = 0;
  const count = (answer: { rows: unknown[] } | unknown[]) => {
    read += JSON.stringify('rows' in answer ? answer.rows : answer).length;
  };
  visitorDb.on('query-response', count);
  const site = await newSites().find(token);
  visitorDb.off('query-response', count);
  expect(site?.categories.map(({ key }) => key)).toContain('analytics');
  expect(read).toBeGreaterThan(500);
  expect(read).toBeLessThan(20_000);
});

test('nobody waits for more than a group of the large sites of another maker', async () => {
  const [first, second, small] = await Promise.all([server.site(), server.site(), server.site()]);
  const large = await largeSites(first.token, 100);
  const [rival] = (await largeSites(second.token, 1)) as [string];
  const sites = newSites();
  const order: string[] = [];
  const find = (token: string) =>
    sites.find(token).then((site) => order.push((site as { token: string }).token));
  const waiting = large.map(find);
  await turn();
  await Promise.all([...waiting, find(small.token), find(rival)]);
  expect([...order].sort()).toEqual([...large, small.token, rival].sort());
  expect(order.indexOf(small.token)).toBeLessThanOrEqual(10);
  expect(order.indexOf(rival)).toBeLessThanOrEqual(20);
  // Kept like all others.
  expect([...large, rival].filter((token) => sites.lastKnown(token) === undefined)).toEqual([]);
});

test('to save a site as it is changes nothing, and nobody reads it again', async () => {
  const { client, token } = await server.site();
  const { name, domain, status, settings, updated_at } = await client.getEnvironment({ token });
  const { db, sites } = server.service.context;
  const changedIn = async () => (await db('environments').where({ token }).first('changed_in')).changed_in;
  const before = await changedIn();
  const site = await sites.find(token);
  const { policy_version } = settings;
  const body = { name, domain, status, settings: { policy_version } };
  expect((await client.updateEnvironment({ token, body })).updated_at).toBe(updated_at);
  expect(await changedIn()).toBe(before);
  expect(sites.lastKnown(token)).toBe(site);
  await client.updateEnvironment({ token, body: { name: `${name} 2` } });
  expect(await changedIn()).not.toBe(before);
});
