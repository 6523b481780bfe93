import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { databaseUrl, onCluster, servers } from '../helpers/database';
import { type Child, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import type { Client, TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import {
  expireLeases,
  idOf,
  onDatabase,
  siteWithWebhooks,
  startService,
  startWorker,
  untilState,
} from '../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../helpers/webhooks/receiver';

// Without a cluster test/webhooks/faults/kills and test/faults/two-processes do the same.
const describeOnCluster = onCluster() ? describe : describe.skip;
jest.setTimeout(300_000);

const SITES = 4;

describeOnCluster('two processes that answer and two that work, on three nodes', () => {
  let owner: TestServer;
  let receiver: Receiver;
  /** The first is pointed at the coordinator, the second at a worker. */
  let apis: ServerProcess[];
  let workers: Child[];
  let sites: Awaited<ReturnType<typeof siteWithWebhooks>>[];

  const apiAt = (n: number, port?: number): Promise<ServerProcess> => {
    const { pathname } = new URL(owner.databaseUrl);
    const variables = onDatabase(databaseUrl(pathname.slice(1), servers()[n]));
    return ServerProcess.start({ ...variables, ROLE: 'api' }, port);
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    owner = await startService({ ROLE: 'api' });
    sites = [];
    for (let n = 0; n < SITES; n += 1) sites.push(await siteWithWebhooks(owner, [receiver.url]));
    apis = [await apiAt(0), await apiAt(1)];
    workers = [await startWorker(owner.databaseUrl), await startWorker(owner.databaseUrl)];
  });
  afterAll(async () => {
    await endAll();
    await owner.stop();
    await receiver.stop();
  });

  test('each is killed once under load: nothing acknowledged is lost, and every event arrives', async () => {
    const loads = sites.map(
      ({ token }) => new Load({ urls: () => apis.map(({ url }) => url), token, connections: 4 }),
    );
    const total = (): number => loads.reduce((sum, { seen }) => sum + seen.acknowledged.length, 0);
    const more = async (): Promise<void> => {
      const before = total();
      await until('more is acknowledged', () => total() > before + 100, 60_000);
    };
    for (const n of [0, 1]) {
      await more();
      await workers[n]?.kill('SIGKILL');
      await more();
      const { port } = apis[n] as ServerProcess;
      await apis[n]?.kill('SIGKILL');
      // The other one answers meanwhile.
      await more();
      apis[n] = await apiAt(n, port);
      workers[n] = await startWorker(owner.databaseUrl);
    }
    await more();
    const seen = await Promise.all(loads.map((load) => load.stop()));
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    expect(seen.map(({ statuses }) => Object.keys(statuses))).toEqual(seen.map(() => ['201']));
    for (const [n, { token, webhook_id }] of sites.entries()) {
      const url = owner.databaseUrl;
      expect(await missing(url, seen[n]?.acknowledged ?? [])).toEqual([]);
      expect(await miscounted(url, token)).toEqual([]);
      expect(await outdatedChoices(url, token)).toEqual([]);
      // What a killed worker holds would be free after half a minute.
      await expireLeases(owner);
      const { db } = owner.service.context;
      const [site] = await db('environments').where({ token }).select('id');
      const events: string[] = await db('events').where({ environment_id: site.id }).pluck('event_id');
      expect(events.length).toBeGreaterThanOrEqual(seen[n]?.acknowledged.length ?? 1);
      await untilState(owner, webhook_id, 'delivered', events.length, 120_000);
      const arrived = new Set(receiver.received.map(idOf));
      expect(events.filter((id) => !arrived.has(id))).toEqual([]);
    }
  });

  test('an owner works through any node, and what is changed there is seen at the other', async () => {
    const [{ userId }] = sites as [(typeof sites)[number]];
    const { token: bearer } = await owner.service.context.tokens.issue(userId);
    const [atCoordinator, atWorker] = apis.map(({ url }) =>
      createAvow({ baseUrl: url, token: bearer, fetch: checkedFetch, retries: 0 }),
    ) as [Client, Client];
    const { token } = await atWorker.createEnvironment({
      body: { name: 'Other', domain: 'other.example.com' },
    });
    const seen = await until('a new site is known at the other node', () =>
      atCoordinator.getEnvironment({ token }).catch(() => undefined),
    );
    expect(seen.name).toBe('Other');
    const session_id = randomUUID();
    const { consent_id } = await atCoordinator.logConsent({
      token,
      body: { session_id, decision: 'accept_all' },
    });
    expect((await atWorker.listConsents({ token })).items.map((one) => one.consent_id)).toEqual([consent_id]);
    await atWorker.updateEnvironment({ token, body: { name: 'Renamed' } });
    expect((await atCoordinator.getEnvironment({ token })).name).toBe('Renamed');
    await atWorker.eraseSession({ token, session_id });
    expect((await atCoordinator.listConsents({ token })).items).toEqual([]);
  });
});
