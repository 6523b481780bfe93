import { readFileSync } from 'node:fs';
import { skipOnCluster } from '../helpers/cluster/skip';
import { hasOpenssl } from '../helpers/ledger/authority';
import { ledgerCells } from '../helpers/ledger/ledger-cells';
import { type Cell, recordCells } from '../helpers/ledger/record-cells';
import { type Change, RECORDS } from '../helpers/ledger/record-tables';
import { foundAfter } from '../helpers/ledger/tampered';
import { type Ground, makeGround } from '../helpers/ledger/tampering-ground';
import { columnsOf, UNSEALED } from '../helpers/ledger/unsealed-columns';
import { useServer } from '../helpers/server';

skipOnCluster('rows are moved from one site to another, which a cluster does not allow');
jest.setTimeout(180_000);

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
let ground: Ground;
let cells: Cell[] = [];

beforeAll(async () => {
  ground = await makeGround(server);
  cells = [...RECORDS.flatMap((of) => recordCells(ground, of)), ...(await ledgerCells(ground))];
});

const ADR = 'server/docs/decisions/025-evidence-log.md';
const GUIDE = 'server/docs/guides/26-evidence-formats.md';

/** What no audit finds, with the sentence of the threat model that says so. */
const EXCEPTIONS: [says: string, where: string, cells: RegExp][] = [
  ['record what never happened', GUIDE, /: insert a copy, later, with the key$/],
  [
    'a history that is written anew with the keys, as far as nobody else holds a head of it',
    ...([ADR, /^(?!ledger_pending).*: (delete|swap|move) .*, later, with the key$/] as const),
  ],
  [
    'a record that is removed together with what waits to be sealed, before it is',
    ...([ADR, /^ledger_pending: delete a row with its record/] as const),
  ],
  [
    'Who has the database and the secret can change it unseen in this time',
    ...([ADR, /^ledger_pending: (swap|backdate) .*, later, with the key$/] as const),
  ],
  [
    'a word, a part of settings or a key that somebody adds, and that no record or log names',
    ...([ADR, /^(consent_words \(text\)|settings_parts|ledger_keys): insert a copy(?!, later)/] as const),
  ],
  [
    'a cosignature or time-stamp that is deleted, with the head that it is of or without',
    ...([ADR, /^ledger_(cosignatures|timestamps): delete a row$/] as const),
  ],
  [
    'the stored head of a pack that is deleted',
    ...([ADR, /^ledger_checkpoints: delete a row of a pack$/] as const),
  ],
];

const NO_TIME = 'it has no time of its own that a statement holds';
const NOT_SIGNED = 'the key signs nothing of it';
const STATE = 'the state of a job, which proves nothing';
const ALL: readonly Change[] = ['insert', 'delete', 'swap', 'move', 'backdate'];

/** What is not tried of a table, and why. */
const UNTRIED: Record<string, Partial<Record<Change | 'with the key', string>>> = {
  consent_words: { backdate: NO_TIME },
  settings_parts: { backdate: NO_TIME },
  ledger_imported: { backdate: NO_TIME },
  ledger_erased: { backdate: NO_TIME },
  ledger_entries: { backdate: NO_TIME },
  ledger_tiles: {
    backdate: NO_TIME,
    swap: 'a log of fewer than 65,792 leaves has one',
    'with the key': 'written with ledger_entries',
  },
  ledger_segments: { 'with the key': NOT_SIGNED },
  ledger_heads: { insert: 'a site has one' },
  ledger_keys: { move: 'it is of no site', backdate: NO_TIME, 'with the key': NOT_SIGNED },
  ledger_successions: { backdate: NO_TIME, 'with the key': 'signed by the key before' },
  ledger_checkpoints: { backdate: NO_TIME },
  ledger_cosignatures: { backdate: NO_TIME, 'with the key': 'signed by others' },
  ledger_timestamps: { 'with the key': 'signed by others' },
  ledger_vouchers: Object.fromEntries([...ALL, 'with the key'].map((change) => [change, STATE])),
  ledger_audits: Object.fromEntries([...ALL, 'with the key'].map((change) => [change, STATE])),
};

test('each table of which something is sealed has its rows tampered with in every way', async () => {
  const columns = await columnsOf(server.service.context.db);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const missing = tables.flatMap((table) => {
    if (table === 'ledger_timestamps' && !hasOpenssl) return [];
    const own = cells.filter((cell) => cell.table === table);
    const done = new Set<string>(own.map(({ change }) => change));
    if (own.some(({ withKey }) => withKey)) done.add('with the key');
    const untried = UNTRIED[table] ?? {};
    return [...ALL, 'with the key' as const]
      .filter((change) => done.has(change) === (untried[change] !== undefined))
      .map((change) => `${table}: ${change}`);
  });
  expect(missing).toEqual([]);
  expect(Object.keys(UNTRIED).filter((table) => !tables.includes(table))).toEqual([]);
});

test('what rows of records swap is all that their statements hold', async () => {
  const known = new Set(
    RECORDS.flatMap(({ table, key, groups }) =>
      [key, ...Object.values(groups).flat()].map((name) => `${table}.${name}`),
    ),
  );
  const columns = await columnsOf(server.service.context.db);
  const sealed = columns
    .filter(({ table }) => RECORDS.some((of) => of.table === table))
    .map(({ table, name }) => `${table}.${name}`)
    .filter((name) => UNSEALED[name] === undefined);
  expect(sealed.filter((name) => !known.has(name))).toEqual([]);
});

test('each exception is a sentence of the threat model, and each tampering that nothing finds is one', () => {
  const textOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
  expect(EXCEPTIONS.filter(([says, where]) => !textOf(where).includes(says))).toEqual([]);
  const unseen = cells.filter(({ expected }) => expected.length === 0).map(({ name }) => name);
  expect(unseen.filter((name) => EXCEPTIONS.every(([, , of]) => !of.test(name)))).toEqual([]);
  expect(EXCEPTIONS.filter(([, , of]) => !unseen.some((name) => of.test(name)))).toEqual([]);
});

/** What is wrong with what the audit says of a tampering. */
async function wrongOf({ name, change, tamper, expected }: Cell): Promise<string[]> {
  const { site, other } = ground;
  const both = change === 'move' || name.startsWith('ledger_heads');
  const found = await foundAfter(server, both ? [site, other] : [site], tamper);
  const said = found.slice(0, 5).join(' | ');
  if (expected.length === 0) return found.length === 0 ? [] : [`${name}: no exception any more: ${said}`];
  const missing = expected.filter((one) => !found.some((line) => new RegExp(`^${one}`).test(line)));
  return missing.map((one) => `${name}: ${one} is not in: ${said}`);
}

test('nothing is found before', async () => {
  expect(await foundAfter(server, [ground.site, ground.other], async () => undefined)).toEqual([]);
});

/** Tables side by side, where nothing but their rows is locked. */
const LANES = 3;

async function wrongIn(some: readonly Cell[], lanes: number): Promise<string[]> {
  const tables = [...new Set(some.map(({ table }) => table))];
  const wrong: string[] = [];
  const lane = async (): Promise<void> => {
    for (let table = tables.shift(); table !== undefined; table = tables.shift())
      for (const cell of some.filter((one) => one.table === table))
        wrong.push(
          ...(await wrongOf(cell).catch((error) => {
            throw new Error(`${cell.name}: ${error.message}`);
          })),
        );
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return wrong;
}

test('without the key, rows that are inserted, deleted, swapped, moved and backdated are found and named', async () => {
  const some = cells.filter(({ withKey }) => !withKey);
  expect(await wrongIn(some, LANES)).toEqual([]);
});

test('with the key, what was handed out is found, and what contradicts itself', async () => {
  // One after the other: each writes the whole log.
  const some = cells.filter(({ withKey }) => withKey);
  expect(await wrongIn(some, 1)).toEqual([]);
});
