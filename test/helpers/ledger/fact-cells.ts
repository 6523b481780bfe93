import type { Knex } from 'knex';
import { newId, timeOfId } from '../../../server/src/domain/ids';
import { type Done, EARLIER, forkOf, HANDED_OUT, LATER, type Part, type Tamper } from './ledger-part';
import { signed, signedTwice } from './record-cells';
import type { Change } from './record-tables';
import { backdateFact, earlierId, type Key, restate, type Written } from './row-changes';
import { pairOf } from './tampering-ground';
import { recode } from './thief';

export const ofFacts: Part = async (ground) => {
  const { site, other, rows, server } = ground;
  const { db } = server.service.context;
  const factOf = async (table: string, kind: string, place: 'handed out' | 'later') => {
    const subject = pairOf(ground, table, place).keys[0];
    const { fact_id } = await db('ledger_facts').where({ environment_id: site.id, kind, subject }).first();
    const leaf = pairOf(ground, table, place).leaves[0];
    return { fact_id: fact_id as string, subject, leaf };
  };
  const done: Done[] = [];
  for (const place of ['handed out', 'later'] as const) {
    const dsar = await factOf('dsar_requests', 'dsar', place);
    const breach = await factOf('breaches', 'breach', place);
    const key = (fact_id: string): Key => ({ environment_id: site.id, fact_id });
    const id = newId();
    const other_ = { fact_id: `'${id}'`, at: `'${timeOfId(id).toISOString()}'` };
    const insert = (written: Written) => (trx: Knex) =>
      rows.copy(trx, 'ledger_facts', key(dsar.fact_id), { ...other_, ...written });
    const remove = (trx: Knex) => rows.remove(trx, 'ledger_facts', key(dsar.fact_id));
    const swap = (columns: string[]) => (trx: Knex) =>
      rows.swap(trx, 'ledger_facts', [key(dsar.fact_id), key(breach.fact_id)], columns);
    const move = (trx: Knex) => rows.move(trx, 'ledger_facts', key(dsar.fact_id), other.id);
    const backdate = (trx: Knex) => backdateFact(trx, site, dsar.fact_id);
    const all: [Change, string, Tamper, readonly string[], readonly string[]][] = [
      [
        ...(['insert', 'a copy', insert({})] as const),
        [`inserted: fact ${id} is a copy of another one`],
        [`twice: leaf ${dsar.leaf} and \\d+: sealed twice`],
      ],
      [
        ...(['insert', 'a copy with another blinding', insert({ blinding: 'gen_random_uuid()' })] as const),
        [`inserted: dsar ${dsar.subject} \\(fact ${id}\\) is in no leaf`],
        [`altered: the history of request ${dsar.subject} .*2 were sealed`],
      ],
      [
        ...(['delete', 'a row', remove] as const),
        [`deleted: leaf ${dsar.leaf}, `],
        [`inserted: dsar_requests ${dsar.subject}: nothing sealed it`],
      ],
      [
        ...(['swap', 'what', swap(['kind', 'subject', 'statement'])] as const),
        [dsar, breach].map(({ fact_id }) => `altered: .*\\(fact ${fact_id}\\) is not what leaf`),
        [],
      ],
      [
        ...(['swap', 'blinding', swap(['blinding'])] as const),
        [dsar, breach].map(({ fact_id }) => `altered: .*\\(fact ${fact_id}\\) is not what leaf`),
        [],
      ],
      [
        ...(['swap', 'when', swap(['at'])] as const),
        [dsar, breach].map(({ fact_id }) => `altered: fact ${fact_id} .*does not fit its own columns: at`),
        [`altered: fact ${dsar.fact_id} .*does not fit its own columns: at`],
      ],
      [
        ...(['move', 'a row', move] as const),
        [`deleted: leaf ${dsar.leaf}, `, `deleted: dsar_requests ${dsar.subject}: its steps are sealed`],
        [`inserted: dsar_requests ${dsar.subject}: nothing sealed it`],
      ],
      [
        ...(['backdate', 'a row', backdate] as const),
        [`altered: the steps of request ${dsar.subject} are not in the order`],
        [`backdated: fact ${earlierId(dsar.fact_id)} `],
      ],
    ];
    for (const [change, name, tamper, found, later] of all) {
      if (place === 'later') {
        done.push([change, name, tamper, found]);
        const withKey = change === 'move' ? signedTwice : signed;
        done.push([change, `${name}, ${LATER}`, (trx) => withKey(ground, trx, tamper(trx)), later]);
      } else if (change !== 'insert') {
        // Only when it was dated is in no leaf.
        const expected = name === 'when' ? later : [forkOf(ground)];
        done.push([change, `${name}, ${HANDED_OUT}`, (trx) => signed(ground, trx, tamper(trx)), expected]);
      }
    }
  }
  return { ledger_facts: done };
};

export const ofImported: Part = async (ground) => {
  const { site, other, rows, server, held } = ground;
  const ids: string[] = await server.service.context
    .db('ledger_imported')
    .where({ environment_id: site.id })
    .pluck('consent_id');
  const [a, b] = ids as [string, string];
  const key = (consent_id: string): Key => ({ environment_id: site.id, consent_id });
  const id = newId();
  const bare = `inserted: consent ${a} has no blinding`;
  const hung = (one: string) => `deleted: ledger_imported: consent ${one} is gone or has another blinding`;
  if (held.rows.get(a) === undefined) throw new Error('a record from before the log is read');
  const all: [Change, string, Tamper, readonly string[], (readonly string[])?][] = [
    [
      ...(['insert', 'a copy'] as const),
      (trx) => rows.copy(trx, 'ledger_imported', key(a), { consent_id: `'${id}'` }),
      ...([[hung(id)], [hung(id)]] as const),
    ],
    ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_imported', key(a)), [bare]],
    [
      ...(['swap', 'blinding'] as const),
      (trx) => rows.swap(trx, 'ledger_imported', [key(a), key(b)], ['blinding']),
      [a, b].map((one) => `altered: consent ${one} is not what leaf`),
    ],
    ['move', 'a row', (trx) => rows.move(trx, 'ledger_imported', key(a), other.id), [bare, hung(a)]],
  ];
  return {
    ledger_imported: all.flatMap(([change, name, tamper, found, withKey = [forkOf(ground)]]): Done[] => [
      [change, name, tamper, found],
      [change, `${name}, ${HANDED_OUT}`, (trx) => signed(ground, trx, tamper(trx)), withKey],
    ]),
  };
};

export const ofErased: Part = async (ground) => {
  const { site, other, rows } = ground;
  const done: Done[] = [];
  for (const place of ['handed out', 'later'] as const) {
    const [a, b] = pairOf(ground, 'erasures', place).keys;
    const key = (erasure_id: string): Key => ({ environment_id: site.id, erasure_id, n: '1' });
    const wrong = (one: string) => `erasure: erasure ${one} is not as it was sealed: leaves`;
    const all: [Change, string, Tamper, readonly string[], readonly string[]][] = [
      ['insert', 'a copy', (trx) => rows.copy(trx, 'ledger_erased', key(a), { n: '2' }), [wrong(a)], []],
      ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_erased', key(a)), [wrong(a)], []],
      [
        ...(['swap', 'commitments'] as const),
        (trx) => rows.swap(trx, 'ledger_erased', [key(a), key(b)], ['commitments', 'mac']),
        ...([[wrong(a), wrong(b)], []] as const),
      ],
      [
        ...(['move', 'a row'] as const),
        (trx) => rows.move(trx, 'ledger_erased', key(a), other.id),
        [wrong(a), `erasure: ledger_erased: note 1 is of no erasure \\(${a}\\)`],
        [`erasure: ledger_erased: note 1 is of no erasure \\(${a}\\)`],
      ],
    ];
    for (const [change, name, tamper, found, later] of all) {
      const anew = async (trx: Knex): Promise<void> => {
        await tamper(trx);
        for (const one of [a, b]) await restate(trx, site, 'erasure', one);
      };
      if (place === 'later') done.push([change, name, tamper, found]);
      const expected = place === 'later' ? later : [forkOf(ground)];
      const withKey = change === 'move' ? signedTwice : signed;
      done.push([
        change,
        `${name}, ${place}, with the key`,
        (trx) => withKey(ground, trx, anew(trx)),
        expected,
      ]);
    }
  }
  return { ledger_erased: done };
};

/** What waits has a code alone, which the secret makes. */
export const ofPending: Part = async ({ site, other, rows, server }) => {
  const { db } = server.service.context;
  const groups: { group_id: string; leaves: Buffer }[] = await db('ledger_pending')
    .where({ environment_id: site.id })
    .orderBy('group_id');
  const consents: string[] = await db('consents')
    .where({ environment_id: site.id })
    .orderBy('consent_id', 'desc')
    .limit(2)
    .pluck('consent_id');
  const [a, b] = groups.map(({ group_id }) => group_id) as [string, string];
  const [second, first] = consents as [string, string];
  const key = (group_id: string): Key => ({ environment_id: site.id, group_id });
  const id = newId();
  const forged = (group: string) => `group: ledger_pending: group ${group} has a code that no server made`;
  const lone = `inserted: consent ${first} is in no leaf`;
  const hidden = 'deleted: a record that waits to be sealed is gone';
  const recordToo = (trx: Knex) =>
    rows.remove(trx, 'consents', { environment_id: site.id, consent_id: first });
  const dated: Written = { first_at: `first_at - ${EARLIER}`, last_at: `last_at - ${EARLIER}` };
  const all: [Change, string, Tamper, readonly string[], readonly string[]][] = [
    [
      ...(['insert', 'a copy'] as const),
      (trx) => rows.copy(trx, 'ledger_pending', key(a), { group_id: `'${id}'` }),
      ...([[forged(id)], ['twice: leaf what waits and what waits: sealed twice']] as const),
    ],
    ['delete', 'a row', (trx) => rows.remove(trx, 'ledger_pending', key(a)), [lone], [lone]],
    [
      ...(['delete', 'a row with its record'] as const),
      (trx) => rows.remove(trx, 'ledger_pending', key(a)).then(() => recordToo(trx)),
      ...([[], []] as const),
    ],
    [
      ...(['swap', 'leaves'] as const),
      (trx) => rows.swap(trx, 'ledger_pending', [key(a), key(b)], ['leaves']),
      ...([[forged(a), forged(b)], []] as const),
    ],
    [
      ...(['swap', 'when'] as const),
      (trx) => rows.swap(trx, 'ledger_pending', [key(a), key(b)], ['first_at', 'last_at']),
      ...([[forged(a), forged(b)], []] as const),
    ],
    [
      ...(['move', 'a row'] as const),
      (trx) => rows.move(trx, 'ledger_pending', key(a), other.id),
      ...([
        [lone, forged(a), hidden],
        [lone, hidden],
      ] as const),
    ],
    ['backdate', 'a row', (trx) => rows.write(trx, 'ledger_pending', key(a), dated), [forged(a)], []],
  ];
  if (second === first) throw new Error('two decisions wait');
  return {
    ledger_pending: all.flatMap(([change, name, tamper, found, withKey]): Done[] => [
      [change, name, tamper, found],
      [
        ...([change, `${name}, ${LATER}`] as const),
        async (trx) => {
          await tamper(trx);
          await recode(trx, site);
          await recode(trx, other);
        },
        withKey,
      ],
    ]),
  };
};
