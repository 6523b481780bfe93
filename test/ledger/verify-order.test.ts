import { verifyEvidence } from '../../sdk/src/verify';
import { swapLines } from '../helpers/ledger/changes/change';
import { BUNDLE, lineOf, type MadePack, makePack, RECORDS, zipOf } from '../helpers/ledger/made-pack';

type Sealed = Parameters<typeof makePack>[0] extends readonly (infer One)[] | undefined ? One : never;

const IMPORTED = { imported_on: '2026-02-01T00:00:00.000Z' };
const [CONSENT, SETTINGS, BANNER, VENDORS] = RECORDS as Sealed[] as [Sealed, Sealed, Sealed, Sealed];
/** A pack of records that were sealed as they are listed. */
const packOf = (...records: Sealed[]): MadePack => makePack(records, 9, true);
const other = ([kind, record]: Sealed, more: object): Sealed => [kind, { ...record, ...more }];

async function verify(pack: MadePack) {
  const { verdict, steps } = await verifyEvidence(zipOf(pack), { trustedKeys: [pack.keys.old.vkey] });
  const about = steps.filter(({ step }) => step === 'context');
  return { verdict, said: about.map(({ ok, what, where }) => `${ok}: ${what}, ${where.split(' ')[2]}`) };
}

describe('what a record names was sealed before it', () => {
  const named = {
    settings: (found: string) => `${found}, which a record names, is`,
    bundle: `bundle ${BUNDLE}, which a visitor's page names, is`,
  };

  test('in whatever order the file lists them', async () => {
    const found = await verify(makePack());
    expect(found.verdict).toBe('verified');
    expect(found.said).toEqual([
      expect.stringMatching(/^true: settings 3, .* is in the file/),
      expect.stringMatching(/^true: bundle .* is in the file/),
      expect.stringMatching(/^true: vendors 2, .* is in the file/),
    ]);
  });

  test('settings that were sealed later are not said to be those, with the others and without', async () => {
    const forged = other(SETTINGS, { settings: { name: 'Another' } });
    for (const pack of [
      packOf(SETTINGS, VENDORS, BANNER, CONSENT, forged),
      packOf(VENDORS, BANNER, CONSENT, forged),
    ]) {
      const { verdict, said } = await verify(pack);
      expect(verdict).toBe('incomplete');
      // The bundle is the first in the log that names them.
      const line = pack.lines.findIndex(({ kind }) => kind === 'bundle') + 1;
      expect(said).toContain(`unknown: ${named.settings('settings 3')} sealed after it, ${line}`);
    }
  });

  test('nor are vendors', async () => {
    const forged = other(VENDORS, { vendors: [] });
    for (const pack of [
      packOf(SETTINGS, VENDORS, BANNER, CONSENT, forged),
      packOf(SETTINGS, BANNER, CONSENT, forged),
    ]) {
      const { verdict, said } = await verify(pack);
      expect(verdict).toBe('incomplete');
      expect(said).toContainEqual(expect.stringMatching(/^unknown: vendors 2, .* sealed after it/));
    }
  });

  test('nor is a banner; anybody can name one before it is published, which spoils no pack', async () => {
    const forged = other(BANNER, { created_at: '2026-01-01T00:00:00.000Z' });
    for (const pack of [
      packOf(SETTINGS, VENDORS, BANNER, CONSENT, forged),
      packOf(SETTINGS, VENDORS, CONSENT, forged),
    ]) {
      const { verdict, said } = await verify(pack);
      const line = pack.lines.findIndex(({ kind }) => kind === 'consent') + 1;
      expect(verdict).toBe('verified');
      expect(said).toContain(`unproven: ${named.bundle} sealed after it, ${line}`);
    }
  });

  test('the first record in the log that names them counts', async () => {
    const late = other(CONSENT, { consent_id: '0197a0b0-0000-7000-8000-000000000002' });
    const pack = packOf(CONSENT, SETTINGS, VENDORS, BANNER, late);
    swapLines(pack, 5, 9);
    const { verdict, said } = await verify(pack);
    expect(verdict).toBe('incomplete');
    expect(said).toContain(`unknown: ${named.settings('settings 3')} sealed after it, 10`);
  });

  test('what waits is sealed after what is there', async () => {
    const pack = makePack();
    Object.assign(lineOf(pack, 'record', 1), { leaf: null, proof: null, pending: true });
    expect((await verify(pack)).said).toContainEqual(
      expect.stringMatching(/^unknown: settings 3, .* sealed after it/),
    );
  });

  test('of a record from before the log nothing is said', async () => {
    const imported = RECORDS.map(([kind, record]): Sealed => [kind, record, IMPORTED]);
    const { verdict, said } = await verify(packOf(...imported));
    expect(verdict).toBe('verified');
    expect(said.map((one) => one.split(':')[0])).toEqual(['true', 'true', 'true']);
  });
});

describe('the steps of a request stand in their order', () => {
  const stepOf = (request_id: string, step: string, at: unknown, more = {}): Sealed => [
    'dsar',
    { step, at, request: { request_id } },
    more,
  ];
  const created = stepOf('r1', 'created', '2026-01-01T09:00:00.000Z');
  const extended = stepOf('r1', 'extended', '2026-01-20T09:00:00.000Z');
  const resolved = stepOf('r1', 'resolved', '2026-03-20T09:00:00.000Z');
  const misplaced = (line: number): string => `false: the step is not in its order, ${line}`;

  test('as they were taken: others may lie between, and clocks may differ by minutes', async () => {
    const others = stepOf('r2', 'created', '2025-12-01T09:00:00.000Z');
    const near = stepOf('r1', 'reopened', '2026-03-20T08:56:00.000Z');
    expect(await verify(packOf(created, extended, others, resolved, near))).toEqual({
      verdict: 'verified',
      said: [],
    });
  });

  test('one that was sealed later with an earlier date is named, wherever it stands in the file', async () => {
    const forged = { verdict: 'failed', said: [misplaced(8)] };
    expect(await verify(packOf(created, resolved, extended))).toEqual(forged);
    const moved = packOf(created, resolved, extended);
    swapLines(moved, 6, 7);
    expect(await verify(moved)).toEqual(forged);
  });

  test.each(['soon', 5, undefined])('a date that is none hides no later one: %s', async (at) => {
    const undated = stepOf('r1', 'assigned', at === undefined ? null : at);
    const { said } = await verify(packOf(created, resolved, undated, extended));
    expect(said).toEqual([misplaced(8), misplaced(9)]);
  });

  test('those of a breach, too', async () => {
    const breach = ([, record]: Sealed): Sealed => [
      'breach',
      { ...record, request: undefined, breach: { breach_id: 'b1' } },
    ];
    const steps = [created, resolved, extended].map(breach);
    for (const [, record] of steps) delete record.request;
    expect((await verify(packOf(...steps))).said).toEqual([misplaced(8)]);
  });

  test('what was imported or waits has no place yet', async () => {
    const before = stepOf('r1', 'created', '2025-06-01T09:00:00.000Z', IMPORTED);
    expect((await verify(packOf(extended, before, resolved))).verdict).toBe('verified');
    const waiting = packOf(resolved, extended);
    Object.assign(lineOf(waiting, 'record', 1), { leaf: null, proof: null, pending: true });
    expect((await verify(waiting)).said).toEqual([]);
  });
});
