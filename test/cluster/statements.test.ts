import fc from 'fast-check';
import pg from 'pg';
import { hintsFor, requestsOf } from '../contract-fuzz/requests';
import { operations, SEED, send } from '../contract-fuzz/run';
import { onCluster } from '../helpers/database';
import { ownedSite } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';

const describeOnCluster = onCluster() ? describe : describe.skip;
jest.setTimeout(240_000);

/** Requests of each operation. */
const REQUESTS = 4;
/** Values that each statement is planned with. */
const VALUES = 2;
/** What the memory of sites reads anew for all that were just asked for, on any nodes. */
const SEVERAL_SITES = /FROM webhooks w\s+LEFT JOIN missed_spans [^?]* IN \(\$1, /;

/** How much one address was mailed is limited over all sites; at most as many rows are read as may be mailed in a day. */
const OF_ONE_ADDRESS =
  /^select "mail_id" from "mails" where "created_at" > \$1 [^?]* "address_key" = \$3 [^?]* limit /;

const OVER_SITES = [SEVERAL_SITES, OF_ONE_ADDRESS];

interface Asked {
  text: string;
  values: unknown[];
  operation: string;
}

describeOnCluster('statements of requests', () => {
  // No jobs: those go over all sites.
  const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
  const asked = new Map<string, Asked[]>();
  let operation = '';
  const { query } = pg.Client.prototype;

  beforeAll(async () => {
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text?: string; values?: unknown[] }];
      if (typeof first === 'object' && typeof first.text === 'string') {
        const { text, values = [] } = first;
        const known = asked.get(text) ?? [];
        if (operation !== '' && known.length < VALUES)
          asked.set(text, [...known, { text, values, operation }]);
      }
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as typeof query;
    let site = await ownedSite(server);
    for (const one of operations) {
      // The one before may have ended all sessions, and those of its own millisecond too.
      const { token: bearer } = await server.service.context.tokens.issue(
        site.userId,
        new Date(Date.now() + 1000),
      );
      const hints = await hintsFor(server, one, { ...site, bearer });
      operation = one.id;
      for (const parts of fc.sample(requestsOf(one, hints), { seed: SEED, numRuns: REQUESTS }))
        await send(server, site.userId, parts);
      operation = '';
      // Such requests end a site, or keep its visitors out.
      if (/Environment$/.test(one.id)) site = await ownedSite(server);
    }
  });
  afterAll(() => {
    pg.Client.prototype.query = query;
  });

  test('touch one shard each, as the plan says', async () => {
    pg.Client.prototype.query = query;
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    const wide: string[] = [];
    let routed = 0;
    for (const { text, values, operation: of } of [...asked.values()].flat()) {
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(text) || OVER_SITES.some((one) => one.test(text)))
        continue;
      const plan = await client.query({ text: `EXPLAIN ${text}`, values }).then(
        ({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'),
        ({ message }) => `Task Count: 1000, ${message}`,
      );
      const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, n]) => Number(n));
      if (tasks.length > 0) routed += 1;
      if (tasks.some((n) => n > 1))
        wide.push(`${of}: ${plan.startsWith('Task') ? plan : `${Math.max(...tasks)} shards`}: ${text}`);
    }
    await client.end();
    expect(wide).toEqual([]);
    // Otherwise nothing was looked at.
    expect(routed).toBeGreaterThan(50);
  });
});
