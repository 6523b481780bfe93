import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { openConsents } from '../../server/src/ledger/statements';
import { skipOnCluster } from '../helpers/cluster/skip';
import { hasOpenssl } from '../helpers/ledger/authority';
import { decide, sealedSite } from '../helpers/ledger/sealed-site';
import { foundAfter } from '../helpers/ledger/tampered';
import { leavesOf, writeLog } from '../helpers/ledger/thief';
import { columnsOf, type SealedColumn, UNSEALED } from '../helpers/ledger/unsealed-columns';
import { useServer } from '../helpers/server';

skipOnCluster('rows are changed by where they lie, and by their site, which a cluster does not allow');
jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
let id = '';
let token = '';

beforeAll(async () => {
  const site = await sealedSite(server);
  // What waits is a place to tamper with, too.
  await decide(server, site.token);
  [id, token] = [site.id, site.token];
});

const after = (tamper: (trx: Knex) => Promise<unknown>) => foundAfter(server, [{ id, token }], tamper);

/** How values of a type are changed. */
const CHANGES: Record<string, string> = {
  uuid: `'11111111-1111-7111-8111-111111111111'::uuid`,
  text: `coalesce(:c:, '') || 'x'`,
  'timestamp with time zone': `coalesce(:c:, now()) + interval '7 minutes'`,
  date: `coalesce(:c:, current_date) + 1`,
  integer: 'coalesce(:c:, 1) + 1003',
  bigint: 'coalesce(:c:, 1) + 100003',
  smallint: 'coalesce(:c:, 1) + 1',
  boolean: 'NOT coalesce(:c:, false)',
  bytea: `set_byte(:c:, length(:c:) - 1, (get_byte(:c:, length(:c:) - 1) + 1) % 256)`,
  jsonb: `CASE jsonb_typeof(:c:) WHEN 'array' THEN :c: || '["x"]' ELSE coalesce(:c:, '{}') || '{"x": true}' END`,
  json: `'{"kind": "x"}'`,
  '"char"': `'x'`,
  ARRAY: `array_append(:c:, 'x')`,
};

test('the site is as sealed: an audit finds nothing', async () => {
  expect(await after(async () => undefined)).toEqual([]);
});

/** Columns that take few values, one of which they have. */
const VALUES: Record<string, string[]> = {
  'breaches.severity': ['low', 'high'],
  'breaches.status': ['created', 'reported'],
  'dsar_requests.status': ['resolved', 'received'],
  'erasures.kind': ['person', 'session'],
  'form_consents.double_opt_in': ['confirmed', 'none', 'pending'],
};

/** The row that is changed where not any one is in use. */
const ORDERS: Record<string, string> = {
  // The first keys sign nothing any more.
  ledger_keys: 'ctid DESC',
  // Only the texts of browsers and pages are read: a kind of decision says the same in its column.
  consent_words: `NOT EXISTS (SELECT FROM consents c WHERE c.environment_id = consent_words.environment_id
    AND consent_words.word IN (c.agent, c.page)), ctid DESC`,
};

async function change(trx: Knex, { table, name, type }: SealedColumn): Promise<void> {
  const [one, other] = VALUES[`${table}.${name}`] ?? [];
  if (one === undefined && CHANGES[type] === undefined) throw new Error(`say how a ${type} is changed`);
  const value =
    one === undefined
      ? (CHANGES[type] as string).replaceAll(':c:', `"${name}"`)
      : `CASE WHEN "${name}" = '${one}' THEN '${other}' ELSE '${one}' END`;
  const order = ORDERS[table] ?? 'ctid';
  const { rowCount } = await trx.raw(
    `UPDATE "${table}" SET "${name}" = ${value} WHERE ctid = (SELECT ctid FROM "${table}" ORDER BY ("${name}" IS NULL), ${order} LIMIT 1)`,
  );
  if (rowCount !== 1) throw new Error('there is no row to change');
}

/** Tables side by side: their rows are not locked by each other. */
const LANES = 3;

test('each column of each sealed table, changed in one row, is found', async () => {
  const all = await columnsOf(server.service.context.db);
  const tables = [...new Set(all.map(({ table }) => table))];
  const names = all.map(({ table, name }) => `${table}.${name}`);
  expect(Object.keys(UNSEALED).filter((name) => !names.includes(name))).toEqual([]);
  const unseen: string[] = [];
  const lane = async (): Promise<void> => {
    for (let table = tables.shift(); table !== undefined; table = tables.shift())
      for (const column of all.filter((one) => one.table === table)) {
        const name = `${table}.${column.name}`;
        if (UNSEALED[name] !== undefined) continue;
        if (table === 'ledger_timestamps' && !hasOpenssl) continue;
        const found = await after((trx) => change(trx, column)).catch((error) => {
          throw new Error(`${name}: ${error.message}`);
        });
        if (found.length === 0) unseen.push(name);
      }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(unseen).toEqual([]);
});

const FIELDS = ['at', 'actor', 'action', 'note', 'user_id', 'key_id'];

test.each(['dsar_requests', 'breaches'])(
  'each field of each entry of a history of %s, changed, is found and named',
  async (table) => {
    const [{ history }] = await server.service.context.db(table).where({ environment_id: id });
    expect(history.length).toBeGreaterThan(1);
    const said: string[][] = [];
    const expected: unknown[] = [];
    for (let n = 0; n < history.length; n += 1)
      for (const field of FIELDS) {
        const value = ['jsonb_set(history, ?, ?::jsonb)', [[`${n}`, field], '"x"']] as [string, never];
        said.push(
          await after((trx) =>
            trx(table)
              .where({ environment_id: id })
              .update({ history: trx.raw(...value) }),
          ),
        );
        const named = `step by step: entry ${n + 1} (${field})`;
        expected.push([expect.stringMatching(/^altered: the history of /)], expect.stringContaining(named));
      }
    expect(said.flatMap((one) => [one, one[0]])).toEqual(expected);
  },
);

const remove = (table: string, which: string) => (trx: Knex) =>
  trx.raw(`DELETE FROM "${table}" WHERE ctid = (SELECT ctid FROM "${table}" ORDER BY ${which} LIMIT 1)`);

/** What a thief of the key writes: the same log with other leaves, all its rows, signed. */
const rewrite = async (trx: Knex, changed: (leaves: Buffer) => Buffer): Promise<void> =>
  writeLog(server, trx, id, changed(await leavesOf(trx, id)));

const flipped = (leaves: Buffer, leaf: number): Buffer => {
  const changed = Buffer.from(leaves);
  changed[leaf * 32] = (changed[leaf * 32] as number) ^ 1;
  return changed;
};

/** Seals a commitment with the key, as if it came now. */
const sealWithKey = (trx: Knex, commitment: string, at: Date) =>
  rewrite(trx, (leaves) => Buffer.concat([leaves, Buffer.from(commitment, 'hex')])).then(async () => {
    const last = await trx('ledger_segments')
      .where({ environment_id: id })
      .orderBy('first_leaf', 'desc')
      .first();
    await trx('ledger_segments').insert({
      ...{ ...last, first_leaf: Number(last.first_leaf) + last.leaves, leaves: 1, imported: false },
      ...{ first_at: at, last_at: at },
    });
  });

/** What is done, and what the audit says of it. */
const CASES: [what: string, tamper: (trx: Knex) => Promise<unknown>, damage: RegExp][] = [
  ['a consent is deleted', remove('consents', 'recorded_at DESC OFFSET 9'), /^deleted: leaf \d+/],
  [
    'an imported consent is deleted',
    remove('consents', 'recorded_at'),
    /^deleted: leaf 0|^deleted: ledger_imported/,
  ],
  ['a form consent is deleted', remove('form_consents', '1'), /^deleted: form_consent /],
  ['a settings version is deleted', remove('settings_versions', '1'), /^deleted: settings 1/],
  ['a vendor list is deleted', remove('vendor_lists', '1'), /^deleted: vendors 1/],
  ['a bundle is deleted', remove('bundles', '1'), /^deleted: bundle /],
  ['a request is deleted', remove('dsar_requests', '1'), /^deleted: dsar_requests /],
  ['a breach is deleted', remove('breaches', '1'), /^deleted: breaches /],
  ['an erasure is deleted', remove('erasures', '1'), /^deleted: erasures /],
  ['a step is deleted', remove('ledger_facts', 'fact_id DESC OFFSET 1'), /^deleted: leaf/],
  ...[
    'ledger_entries',
    'ledger_tiles',
    'ledger_segments',
    'ledger_heads',
    'ledger_keys',
    'ledger_erased',
  ].map((table): (typeof CASES)[number] => [
    `a row of ${table} is deleted`,
    remove(table, '1'),
    /^(tree|head|key|deleted|erasure|inserted): /,
  ]),
  [
    'an import that is over would begin again',
    (trx) =>
      trx('ledger_heads')
        .where({ environment_id: id })
        .update({ import_done: false, import_mac: Buffer.alloc(16) }),
    /^head: ledger_heads: the state of the import has a code that no server made/,
  ],
  ['what waits is deleted, its record stays', remove('ledger_pending', '1'), /^inserted: consent /],
  ['the blinding of an imported record is deleted', remove('ledger_imported', '1'), /^inserted: consent /],
  ['a checkpoint is deleted', remove('ledger_checkpoints', 'size DESC'), /^vouched: .* is gone/],
  ['a succession is deleted', remove('ledger_successions', '1'), /^vouched: .*no key of this log|^key: /],
  [
    'a consent is inserted',
    (trx) => copyConsent(trx, randomUUID()),
    /^inserted: consent [0-9a-f-]{36} is in no leaf/,
  ],
  [
    'a consent is inserted without a blinding',
    (trx) => copyConsent(trx, null),
    /^inserted: consent [0-9a-f-]{36} has no blinding/,
  ],
  [
    'a group is forged',
    async (trx) => {
      const leaf = { environment_id: id, at: new Date().toISOString(), commitment: 'ab'.repeat(32) };
      const [{ leaves, mac, ...group } = never()] = pendingRows(Buffer.alloc(32), [leaf]);
      await trx('ledger_pending').insert({ ...group, leaves: bytes(leaves), mac: bytes(mac) });
    },
    /^group: /,
  ],
  [
    'two consents swap what they say',
    (trx) =>
      trx.raw(
        `UPDATE consents SET session_id = (SELECT max(session_id::text)::uuid FROM consents WHERE environment_id = ?)
         WHERE ctid = (SELECT ctid FROM consents WHERE environment_id = ? ORDER BY session_id LIMIT 1)`,
        [id, id],
      ),
    /^(altered|inserted): consent /,
  ],
  [
    'leaves are swapped, with the key',
    (trx) => rewrite(trx, swapped),
    /^forked: the checkpoint of \d+ leaves/,
  ],
  [
    'a leaf is changed before what was handed out, with the key',
    (trx) => rewrite(trx, (leaves) => flipped(leaves, 3)),
    /^forked: the (witness|checkpoint)/,
  ],
  [
    'the log is rolled back, with the key',
    (trx) => rewrite(trx, (leaves) => leaves.subarray(0, 320)),
    /^rolled_back: /,
  ],
  [
    'a record is added and sealed with an older date, with the key',
    async (trx) => {
      const at = new Date(Date.now() - 3_600_000);
      await backdate(trx, at);
    },
    /^backdated: consent /,
  ],
  [
    'a record is sealed twice, with the key',
    (trx) => rewrite(trx, (leaves) => Buffer.concat([leaves, leaves.subarray(64, 96)])),
    /^twice: leaf 2 and /,
  ],
  [
    'an erased record comes back',
    (trx) =>
      trx.raw(
        `UPDATE ledger_erased SET commitments = commitments || (SELECT substring(commitments FROM 33 FOR 32) FROM ledger_entries WHERE bundle = 0)`,
      ),
    /^erasure: /,
  ],
];

const never = (): never => {
  throw new Error('a group has one row');
};
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
const swapped = (leaves: Buffer): Buffer =>
  Buffer.concat([leaves.subarray(32, 64), leaves.subarray(0, 32), leaves.subarray(64)]);

async function copyConsent(trx: Knex, blinding: string | null, more: object = {}): Promise<object> {
  const row = await trx('consents').where({ environment_id: id }).orderBy('recorded_at').first();
  const copy = { ...row, consent_id: randomUUID(), blinding, ...more };
  const json = Object.fromEntries(
    Object.entries(copy).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' && !(value instanceof Date) && !Buffer.isBuffer(value)
        ? JSON.stringify(value)
        : value,
    ]),
  );
  await trx('consents').insert(json);
  return copy;
}

async function backdate(trx: Knex, at: Date): Promise<void> {
  const blinding = randomUUID();
  const { consent_id } = (await copyConsent(trx, blinding, { recorded_at: at })) as { consent_id: string };
  const [hidden] = await openConsents(trx, id, [{ recorded_at: at, consent_id, blinding }]);
  await sealWithKey(trx, hidden?.commitment as string, at);
}

test.each(CASES)('%s', async (_, tamper, damage) => {
  const found = await after(tamper);
  expect(found.join('\n')).toMatch(new RegExp(damage.source, 'm'));
});
