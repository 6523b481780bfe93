import type { Knex } from 'knex';
import { signCheckpoint } from '../../../server/src/domain/ledger/note';
import { currentKey } from '../../../server/src/ledger/keys';
import { hasOpenssl } from './authority';
import { type Done, EARLIER, HANDED_OUT, type Part, type Tamper } from './ledger-part';
import type { Key, Written } from './row-changes';

/** The keys of the server, which have no site; the chain of a log, each link signed by the key before. */
export const ofKeys: Part = async ({ site, other, rows, server }) => {
  const { db } = server.service.context;
  const ids: string[] = await db('ledger_keys').orderBy('created_at').pluck('key_id');
  const [first, second] = ids as [string, string];
  const key = (key_id: string): Key => ({ key_id });
  const link = (key_id: string): Key => ({ environment_id: site.id, key_id });
  const lost = (one: string) => `key: ledger_keys: key ${one} is gone, or is another one`;
  const noKey = 'vouched: ledger_checkpoints: no key of this log signed the one of';
  const not = (one: string) => `key: ledger_successions: key ${one} `;
  const strange = { key_id: `'${'0'.repeat(32)}'` };
  return {
    ledger_keys: [
      ['insert', 'a copy', (trx) => rows.copy(trx, 'ledger_keys', key(first), strange), []],
      ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_keys', key(first)), [lost(first), noKey]],
      [
        ...(['swap', 'public_key'] as const),
        (trx) => rows.swap(trx, 'ledger_keys', [key(first), key(second)], ['public_key']),
        [lost(first), lost(second)],
      ],
    ],
    ledger_successions: [
      [
        ...(['insert', 'a copy'] as const),
        (trx) => rows.copy(trx, 'ledger_successions', link(first), strange),
        [lost('0'.repeat(32))],
      ],
      ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_successions', link(first)), [noKey]],
      [
        ...(['swap', 'successor_id'] as const),
        (trx) => rows.swap(trx, 'ledger_successions', [link(first), link(second)], ['successor_id']),
        [not(first), not(second)],
      ],
      [
        ...(['swap', 'signature'] as const),
        (trx) => rows.swap(trx, 'ledger_successions', [link(first), link(second)], ['signature']),
        [`${not(first)}did not endorse`, `${not(second)}did not endorse`],
      ],
      [
        ...(['swap', 'when'] as const),
        (trx) => rows.swap(trx, 'ledger_successions', [link(first), link(second)], ['at']),
        ['key: ledger_successions: key '],
      ],
      [
        'move',
        'a row',
        (trx) => rows.move(trx, 'ledger_successions', link(first), other.id),
        [noKey, 'key: '],
      ],
    ],
  };
};

export const ofVouched: Part = async ({ site, other, rows, server }) => {
  const { db, vault } = server.service.context;
  const sizes: string[] = await db('ledger_checkpoints')
    .where({ environment_id: site.id })
    .orderBy('size')
    .pluck('size');
  const [small, middle, large] = sizes.map(String) as [string, string, string];
  const checkpoint = (size: string): Key => ({ environment_id: site.id, size });
  const signs = (size: string) =>
    `vouched: ledger_checkpoints: no key of this log signed the one of ${size} leaves`;
  const forked = (size: string) => `forked: the checkpoint of ${size} leaves that was handed out`;
  const between = `${Number(large) - 1}`;
  const copied: Written = { size: between };
  /** With the root that the row's note names, or another row's. */
  const resign = async (trx: Knex, size: string): Promise<void> => {
    const { key } = await currentKey(trx, vault);
    const { note } = await trx('ledger_checkpoints').where({ environment_id: site.id, size }).first();
    const [origin, , root] = note.split('\n') as [string, string, string];
    const signedNote = signCheckpoint({ origin, size: Number(size), root: Buffer.from(root, 'base64') }, key);
    await trx('ledger_checkpoints').where({ environment_id: site.id, size }).update({ note: signedNote });
  };
  const insert: Tamper = (trx) => rows.copy(trx, 'ledger_checkpoints', checkpoint(large), copied);
  const swap: Tamper = (trx) =>
    rows.swap(trx, 'ledger_checkpoints', [checkpoint(small), checkpoint(middle)], ['note']);
  const done: Record<string, Done[]> = {
    ledger_checkpoints: [
      ['insert', 'a copy', insert, [signs(between)]],
      [
        ...(['insert', `a copy, ${HANDED_OUT}`] as const),
        (trx) => insert(trx).then(() => resign(trx, between)),
        [forked(between)],
      ],
      [
        ...(['delete', 'a row that somebody vouched for'] as const),
        (trx) => rows.remove(trx, 'ledger_checkpoints', checkpoint(large)),
        [`vouched: ledger_checkpoints: the checkpoint of ${large} leaves is gone`],
      ],
      [
        ...(['delete', 'a row of a pack'] as const),
        (trx) => rows.remove(trx, 'ledger_checkpoints', checkpoint(small)),
        [],
      ],
      ['swap', 'note', swap, [signs(small), signs(middle)]],
      [
        ...(['swap', `note, ${HANDED_OUT}`] as const),
        (trx) =>
          swap(trx)
            .then(() => resign(trx, small))
            .then(() => resign(trx, middle)),
        [forked(small), forked(middle)],
      ],
      [
        ...(['move', 'a row'] as const),
        (trx) => rows.move(trx, 'ledger_checkpoints', checkpoint(small), other.id),
        [signs(small)],
      ],
    ],
  };
  const tables = ['ledger_cosignatures', ...(hasOpenssl ? ['ledger_timestamps'] : [])];
  for (const table of tables) {
    const where = { environment_id: site.id };
    const [name, proof] = table === 'ledger_cosignatures' ? ['witness', 'line'] : ['authority', 'token'];
    const all: Record<string, string>[] = await db(table).where(where).orderBy('size');
    const [a, b] = all.map((row): Key => ({ ...where, size: `${row.size}`, [name]: row[name] as string }));
    const [first, second] = [a, b] as [Key, Key];
    const rolled = `rolled_back: a checkpoint of ${first.size} leaves was handed out, the log has `;
    const wrong = (size?: string) => `vouched: ${table}: .*at ${size} leaves is `;
    done[table] = [
      ['insert', 'a copy', (trx) => rows.copy(trx, table, second, copied), [wrong(between)]],
      ['delete', 'a row', (trx) => rows.remove(trx, table, second), []],
      [
        ...(['swap', proof] as const),
        (trx) => rows.swap(trx, table, [first, second], [proof]),
        [wrong(first.size), wrong(second.size)],
      ],
      ['move', 'a row', (trx) => rows.move(trx, table, first, other.id), [rolled]],
    ];
  }
  if (hasOpenssl) {
    const { size, authority } = await db('ledger_timestamps').where({ environment_id: site.id }).first();
    const key: Key = { environment_id: site.id, size: `${size}`, authority };
    done.ledger_timestamps?.push([
      ...(['backdate', 'gen_time'] as const),
      (trx) => rows.write(trx, 'ledger_timestamps', key, { gen_time: `gen_time - ${EARLIER}` }),
      [`vouched: ledger_timestamps: gen_time at ${size} leaves is not the time`],
    ]);
  }
  return done;
};
