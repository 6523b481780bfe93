import { randomUUID } from 'node:crypto';
import type { Operation } from '../../server/src/contract/operations';
import {
  contract,
  exampleRequest,
  idsOf,
  makeId,
  type Owned,
  ownedSite,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { multiply } from '../helpers/site/multiplied';
import { INWARD } from '../helpers/webhooks/receiver';
import { stretchesOf } from './growth';

// What a site has stored makes no request a long task: four times as much makes more turns, and none of them longer.
jest.setTimeout(300_000);

const ROWS = 1_000;
/** What is shorter than so many plain answers is noise. */
const FLOOR = 12;
/** As long as the stretch of a quarter may become: linear work makes it 4 times as long. */
const GROWTH = 2;

const server = useServer({
  variables: { ...INWARD, ROLE: 'api', SITES_PER_ACCOUNT: '1000' },
  validateResponses: false,
});

/** These end the site or the login that the others need. */
const ENDS = ['deleteEnvironment', 'logout', 'revokeTokens', 'endSession', 'removeMember', 'updateMember'];
const operations = contract.operations.filter(({ id, hasToken }) => hasToken && !ENDS.includes(id));

/** Of these a site may have any number, or thousands. */
const MANY = [
  'audit_events',
  'breaches',
  'bundles',
  'consents',
  'deliveries',
  'dsar_comments',
  'dsar_requests',
  'events',
].concat(['form_consents', 'ledger_facts', 'mails', 'redeliveries', 'settings_versions', 'vendor_lists']);
/** Of these it has few, whatever it does. */
const FEW = ['webhooks'];

interface Site extends Owned {
  ids: Record<string, string>;
  tables: string[];
}

const sites: Site[] = [];
let plain = 0;
beforeAll(async () => {
  for (const copies of [ROWS, 4 * ROWS]) sites.push(await filled(copies));
  const [one] = sites as [Site];
  const read = exampleRequest(operationOf('getEnvironment'), { token: one.token }, one.bearer);
  plain = await longestOf(() => raw(server.url, read), 20);
});

const operationOf = (id: string): Operation => contract.operations.find((one) => one.id === id) as Operation;

/** A site with some of everything that an operation names, and so many copies of it. */
async function filled(copies: number): Promise<Site> {
  const owned = await ownedSite(server);
  const { db } = server.service.context;
  const ids: Record<string, string> = {};
  for (const operation of operations)
    for (const name of idsOf(operation)) ids[name] ??= (await makeId(server, owned, name)) ?? '';
  // What no other operation names.
  for (const operation of operations.filter(({ method }) => method === 'POST' || method === 'PUT'))
    await send(operation, { ...owned, ids });
  const { id } = await db('environments').where({ token: owned.token }).first('id');
  return { ...owned, ids, tables: await multiply(db, id, copies, FEW) };
}

async function send(operation: Operation, { token, bearer, ids }: Omit<Site, 'tables'>): Promise<number> {
  const path: Record<string, string> = { ...ids, token };
  for (const name of idsOf(operation)) path[name] ||= randomUUID();
  const { status } = await raw(
    server.url,
    exampleRequest(operation, path, operation.bearer ? bearer : undefined),
  );
  return status;
}

/** The longest stretch that nobody else had a turn in, in milliseconds: the least of some tries. */
async function longestOf(work: () => Promise<unknown>, tries = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n += 1) least = Math.min(least, (await stretchesOf(work)).longest);
  return least;
}

test('the sites have many of all that has no limit of its own', () => {
  for (const { tables } of sites) expect(MANY.filter((name) => !tables.includes(name))).toEqual([]);
});

test.each(operations)('$id', async (operation) => {
  const [quarter, whole] = sites as [Site, Site];
  expect(await send(operation, whole)).toBeLessThan(500);
  for (let tries = 1; ; tries += 1) {
    const long = await longestOf(() => send(operation, whole));
    if (long < FLOOR * plain) return;
    const short = await longestOf(() => send(operation, quarter));
    const seen = `${operation.id}: ${(long / plain).toFixed(1)} plain answers, ${(short / plain).toFixed(1)} with a quarter of it`;
    process.stdout.write(`${seen}\n`);
    if (long < GROWTH * short) return;
    if (tries === 4) throw new Error(seen);
  }
});
