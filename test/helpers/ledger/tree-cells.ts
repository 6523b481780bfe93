import type { Knex } from 'knex';
import { type Done, EARLIER, forkOf, HANDED_OUT, type Part, type Tamper } from './ledger-part';
import type { Change } from './record-tables';
import type { Key } from './row-changes';
import { relogEntries, signHead } from './thief';

export const ofEntries: Part = async (ground) => {
  const { site, other, rows, server } = ground;
  const key = (bundle: number): Key => ({ environment_id: site.id, bundle: `${bundle}` });
  const size = ground.leaves.length;
  const rolled = `rolled_back: a checkpoint of ${site.handedOut} leaves was handed out`;
  const spoken = (there: number) =>
    `head: ledger_heads: the head speaks of ${size} leaves, ${there} are there`;
  const all: [Change, string, Tamper, readonly string[], readonly string[]][] = [
    [
      ...(['insert', 'a copy'] as const),
      (trx) => rows.copy(trx, 'ledger_entries', key(0), { bundle: '2' }),
      ['twice: leaf 0 and 512: sealed twice', 'tree: ledger_entries: what comes before bundle 2'],
      ['twice: leaf 0 and \\d+: sealed twice'],
    ],
    [
      ...(['delete', 'a row'] as const),
      (trx) => rows.remove(trx, 'ledger_entries', key(1)),
      ...([[spoken(256), rolled], [rolled]] as const),
    ],
    [
      ...(['swap', 'commitments'] as const),
      (trx) => rows.swap(trx, 'ledger_entries', [key(0), key(1)], ['commitments']),
      ...([['tree: ledger_entries: what comes before bundle'], [forkOf(ground)]] as const),
    ],
    [
      ...(['move', 'a row'] as const),
      (trx) => rows.move(trx, 'ledger_entries', key(1), other.id),
      ...([[spoken(256), 'tree: ledger_entries: what comes before bundle 1'], [rolled]] as const),
    ],
  ];
  return {
    ledger_entries: all.flatMap(([change, name, tamper, found, withKey]): Done[] => [
      [change, name, tamper, found],
      [
        ...([change, `${name}, ${HANDED_OUT}`] as const),
        (trx) => tamper(trx).then(() => relogEntries(server, trx, site)),
        withKey,
      ],
    ]),
  };
};

/** Tiles and segments: the key signs neither, and what they say follows from the leaves and the records. */
export const ofPlaces: Part = async ({ site, other, rows, server }) => {
  const { db } = server.service.context;
  const firsts: string[] = await db('ledger_segments')
    .where({ environment_id: site.id })
    .orderBy('first_leaf')
    .pluck('first_leaf');
  const last = Number(firsts.at(-1));
  const segment = (first: string | number): Key => ({ environment_id: site.id, first_leaf: `${first}` });
  const tile: Key = { environment_id: site.id, level: '1', tile: '0' };
  const wrong = (text: string) => [`tree: ledger_segments: ${text}`];
  return {
    ledger_tiles: [
      [
        ...(['insert', 'a copy'] as const),
        (trx) => rows.copy(trx, 'ledger_tiles', tile, { tile: '1' }),
        ['tree: ledger_tiles: level 1 has tiles that no leaves are below'],
      ],
      [
        ...(['delete', 'a row'] as const),
        (trx) => rows.remove(trx, 'ledger_tiles', tile),
        ['tree: ledger_tiles: tile 1/0 is missing'],
      ],
      [
        ...(['move', 'a row'] as const),
        (trx) => rows.move(trx, 'ledger_tiles', tile, other.id),
        [
          'tree: ledger_tiles: tile 1/0 is missing',
          'tree: ledger_tiles: level 1 has tiles that no leaves are',
        ],
      ],
    ],
    ledger_segments: [
      [
        ...(['insert', 'a copy'] as const),
        (trx) => rows.copy(trx, 'ledger_segments', segment(last), { first_leaf: `${last + 1}` }),
        wrong('leaf \\d+ lies in no segment, or in two'),
      ],
      [
        ...(['delete', 'a row'] as const),
        (trx) => rows.remove(trx, 'ledger_segments', segment(last)),
        wrong(`they speak of ${last} leaves`),
      ],
      [
        ...(['swap', 'when'] as const),
        (trx) => rows.swap(trx, 'ledger_segments', [segment(0), segment(last)], ['first_at', 'last_at']),
        wrong('leaf \\d+ is not found at the time of (consent|fact) '),
      ],
      [
        ...(['swap', 'leaves'] as const),
        (trx) => rows.swap(trx, 'ledger_segments', [segment(0), segment(last)], ['leaves']),
        wrong('leaf \\d+ lies in no segment, or in two'),
      ],
      [
        ...(['move', 'a row'] as const),
        (trx) => rows.move(trx, 'ledger_segments', segment(last), other.id),
        wrong(`they speak of ${last} leaves`),
      ],
      [
        ...(['backdate', 'a row'] as const),
        (trx) =>
          rows.write(trx, 'ledger_segments', segment(last), {
            ...{ first_at: `first_at - ${EARLIER}`, last_at: `last_at - ${EARLIER}` },
          }),
        wrong('leaf \\d+ is not found at the time of (consent|fact) '),
      ],
    ],
  };
};

export const ofHeads: Part = async ({ site, other, rows, server, leaves }) => {
  const head: Key = { environment_id: site.id };
  const unsigned = 'head: ledger_heads: the checkpoint is not signed by the key of the log';
  const gone = 'head: ledger_heads: the head of the log is gone, its leaves are there';
  const spoken = `head: ledger_heads: the head speaks of \\d+ leaves, ${leaves.length} are there`;
  const swap = (columns: string[]) => (trx: Knex) =>
    rows.swap(trx, 'ledger_heads', [head, { environment_id: other.id }], columns);
  const withKey = (tamper: Tamper) => (trx: Knex) => tamper(trx).then(() => signHead(server, trx, site.id));
  const move: Tamper = (trx) => rows.move(trx, 'ledger_heads', head, other.id);
  const backdate: Tamper = (trx) =>
    rows.write(trx, 'ledger_heads', head, { imported_on: `imported_on - ${EARLIER}` });
  const day = ['head: ledger_heads: imported_on is not the day that was sealed'];
  const token = 'head: the token of the site is not the one that its log is named by';
  return {
    ledger_heads: [
      ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_heads', head), [gone]],
      ['swap', 'size and root', swap(['size', 'root']), [unsigned, spoken]],
      ['swap', `size and root, ${HANDED_OUT}`, withKey(swap(['size', 'root'])), [spoken]],
      ['swap', 'size, root and note', swap(['size', 'root', 'note']), [unsigned, spoken]],
      ['swap', 'origin', swap(['origin']), [token]],
      ['swap', `origin, ${HANDED_OUT}`, withKey(swap(['origin'])), [token]],
      ['move', 'a row', move, [gone, token]],
      ['backdate', 'imported_on', backdate, day],
      ['backdate', `imported_on, ${HANDED_OUT}`, withKey(backdate), day],
    ],
  };
};
