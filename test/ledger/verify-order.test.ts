import { verifyEvidence } from '../../sdk/src/verify';
import { swapLines } from '../helpers/ledger/changes/change';
import { BUNDLE, lineOf, type MadePack, makePack, RECORDS, zipOf } from '../helpers/ledger/made-pack';

type Sealed = Parameters<typeof makePack>[0] extends readonly (infer One)[] | undefined ? One : never;

const WRONG = 'it is not in its order, or in the log twice';
const R1 = '0197a0b0-0000-7000-8000-0000000000a1';
const R2 = '0197a0b0-0000-7000-8000-0000000000a2';
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
    bundle: `bundle ${BUNDLE}, which a page names, is`,
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

  test.each([
    ['settings', SETTINGS, [VENDORS, BANNER, CONSENT], 'settings 3'],
    ['vendors', VENDORS, [SETTINGS, BANNER, CONSENT], 'vendors 2'],
  ])(
    '%s that were sealed later in the place of others are not said to be those',
    async (_, one, others, name) => {
      for (const more of [{}, { hash: 'x' }, { request: { request_id: R1 }, step: '' }]) {
        const pack = packOf(...others, other(one, more));
        const { verdict, said } = await verify(pack);
        expect(verdict).toBe('incomplete');
        // The bundle is the first in the log that names them.
        const line = pack.lines.findIndex(({ kind }) => kind === 'bundle') + 1;
        expect(said).toContain(`unknown: ${named.settings(name)} sealed after it, ${line}`);
      }
    },
  );

  test('a banner that was sealed later is not said to be the one that was shown; naming one early spoils no pack', async () => {
    const forged = other(BANNER, { created_at: '2026-01-01T00:00:00.000Z' });
    const pack = packOf(SETTINGS, VENDORS, CONSENT, forged);
    const { verdict, said } = await verify(pack);
    const line = pack.lines.findIndex(({ kind }) => kind === 'consent') + 1;
    expect(verdict).toBe('verified');
    expect(said).toContain(`unproven: ${named.bundle} sealed after it, ${line}`);
  });

  test.each([
    ['settings', other(SETTINGS, { settings: { name: 'Another' } })],
    ['settings, as if imported', [...other(SETTINGS, {}), IMPORTED] as unknown as Sealed],
    ['settings with a hash', other(SETTINGS, { hash: 0 })],
    ['settings with a version as a text', other(SETTINGS, { version: '3' })],
    ['vendors', other(VENDORS, { vendors: [] })],
    ['a banner', other(BANNER, { integrity: 'sha384-x' })],
  ])('each is in the log once: %s beside the genuine ones', async (_, forged) => {
    for (const records of [
      [SETTINGS, VENDORS, BANNER, CONSENT, forged],
      [forged, SETTINGS, VENDORS, BANNER, CONSENT],
    ]) {
      const { verdict, said } = await verify(packOf(...records));
      expect(verdict).toBe('failed');
      expect(said).toContainEqual(expect.stringContaining(`false: ${WRONG}`));
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

  describe('of records from before the log', () => {
    const imported = (one: Sealed, more = IMPORTED): Sealed => [one[0], one[1], more];
    const all = RECORDS.map((one) => imported(one as Sealed));
    const end: Sealed = ['import', { ...IMPORTED, cutoff: IMPORTED.imported_on, records: 4 }];

    test('those that were imported with them are after them in the log', async () => {
      for (const records of [all, [...all, end]]) {
        const { verdict, said } = await verify(packOf(...records));
        expect(verdict).toBe('verified');
        expect(said.map((one) => one.split(':')[0])).toEqual(['true', 'true', 'true']);
      }
    });

    test('those that were sealed before them, by another server during an upgrade, are theirs', async () => {
      const records = [SETTINGS, VENDORS, BANNER, imported(CONSENT)];
      expect((await verify(packOf(...records))).verdict).toBe('verified');
    });

    test('those that were sealed at any time since are not', async () => {
      const settings = other(SETTINGS, { settings: { name: 'Another' }, created_at: '2025-01-01' });
      const forged = packOf(imported(CONSENT), imported(VENDORS), imported(BANNER), settings);
      expect(await verify(forged)).toEqual({
        verdict: 'incomplete',
        said: [
          `unknown: ${named.settings('settings 3')} sealed after it, 6`,
          expect.stringMatching(/^true: bundle /),
          expect.stringMatching(/^true: vendors 2, /),
        ],
      });
      const banner = packOf(imported(CONSENT), imported(VENDORS), imported(SETTINGS), BANNER);
      const { said } = await verify(banner);
      expect(said).toContain(`unproven: ${named.bundle} sealed after it, 6`);
    });

    test('one that was imported does not excuse those for a record since', async () => {
      const late = other(CONSENT, { consent_id: '0197a0b0-0000-7000-8000-000000000002' });
      const name = 'settings 3'.padEnd(200, '3');
      for (const [version, expected] of [
        [3, 'incomplete'],
        [name.slice(9), 'incomplete'],
      ] as const) {
        const of = (one: Sealed, member: string): Sealed => other(one, { [member]: version });
        const records = [imported(of(CONSENT, 'banner_version')), of(late, 'banner_version')];
        const named = [imported(VENDORS), imported(of(BANNER, 'settings_version'))];
        const pack = packOf(...records, ...named, imported(of(SETTINGS, 'version')));
        expect((await verify(pack)).verdict).toBe(expected);
      }
    });

    test('one that was sealed after the import fails', async () => {
      const forged = { verdict: 'failed', said: expect.arrayContaining([expect.any(String)]) };
      const late = await verify(packOf(SETTINGS, VENDORS, BANNER, end, imported(CONSENT)));
      expect(late).toEqual(forged);
      expect(late.said).toContainEqual(
        expect.stringMatching(/^false: leaf \d+ of the import is sealed after its end/),
      );
    });

    test('a second record of an import fails, and does not move the end of the first one', async () => {
      const first = packOf(SETTINGS, VENDORS, BANNER, end, imported(CONSENT), end);
      const reversed = packOf(SETTINGS, VENDORS, BANNER, end, imported(CONSENT), end);
      swapLines(reversed, 8, 10);
      for (const pack of [first, reversed]) {
        const { verdict, said } = await verify(pack);
        expect(verdict).toBe('failed');
        expect(said).toContainEqual(
          expect.stringMatching(/^false: leaf \d+ of the import is sealed after its end/),
        );
      }
      expect((await verify(packOf(...all, end, end))).verdict).toBe('failed');
    });

    test('one of another day than the first line or the import says fails', async () => {
      const day = { imported_on: '2025-02-01T00:00:00.000Z' };
      const wrong = expect.stringMatching(/^false: the first line says another day of the import, /);
      const changes: MadePack[] = [
        packOf(...all.slice(0, 3), imported(VENDORS, day)),
        packOf(...all, ['import', { ...day, records: 4 }]),
        packOf(...all),
      ];
      lineOf(changes[2] as MadePack, 'pack').imported_on = null;
      for (const pack of changes) {
        const { verdict, said } = await verify(pack);
        expect([verdict, said]).toEqual(['failed', expect.arrayContaining([wrong])]);
      }
    });
  });
});

describe('the steps of a request stand in their order', () => {
  const stepOf = (request_id: string, step: string, at: unknown, more = {}): Sealed => [
    'dsar',
    { step, at, request: { request_id } },
    more,
  ];
  const created = stepOf(R1, 'created', '2026-01-01T09:00:00.000Z');
  const extended = stepOf(R1, 'extended', '2026-01-20T09:00:00.000Z');
  const resolved = stepOf(R1, 'resolved', '2026-03-20T09:00:00.000Z');
  const misplaced = (line: number): string => `false: ${WRONG}, ${line}`;

  test('as they were taken: others may lie between, and clocks may differ by minutes', async () => {
    const others = stepOf(R2, 'created', '2025-12-01T09:00:00.000Z');
    const near = stepOf(R1, 'reopened', '2026-03-20T08:56:00.000Z');
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

  test.each([
    'soon',
    5,
    null,
    '2026-03-21 (2026-01-20)',
    '2026-03-21T09:00:00Z',
    ['2026-03-21T09:00:00.000Z'],
  ])('a date that no server writes fails, and hides no later one: %s', async (at) => {
    const odd = stepOf(R1, 'assigned', at);
    const { said } = await verify(packOf(created, resolved, odd, extended));
    expect(said).toEqual([misplaced(8), misplaced(9)]);
  });

  test('no other member of a step, and no other kind of its members, hides it', async () => {
    const [, record] = extended;
    const hidden: [more: object, statement: object][] = [
      [{ hash: 'x' }, {}],
      [{ version: 0 }, {}],
      [{ step: '' }, {}],
      [{ step: 5 }, {}],
      [{}, IMPORTED],
      [{ request: R1 }, {}],
      [{ request: { request_id: R1.toUpperCase() } }, {}],
      [{ request: { request_id: [R1] } }, {}],
      [{ request: undefined, dsar: { request_id: R1 } }, {}],
    ];
    for (const [more, statement] of hidden) {
      const forged: Sealed = ['dsar', JSON.parse(JSON.stringify({ ...record, ...more })), { ...statement }];
      expect(await verify(packOf(created, resolved, forged))).toEqual({
        verdict: 'failed',
        said: [misplaced(8)],
      });
    }
    // Nor does what stands beside it, of a breach as of a request.
    const [, at] = extended;
    const breaches = [created, resolved].map(
      ([, { step, at }]): Sealed => ['breach', { step, at, breach: { breach_id: R1 } }],
    );
    const beside: Sealed[] = [
      ['breach', { step: 'updated', at: at.at, breach: { breach_id: R1 }, request: { breach_id: R2 } }],
      [
        'breach',
        { step: 'updated', at: at.at, breach: { breach_id: R1, request_id: R2 }, dsar: { request_id: R2 } },
      ],
    ];
    for (const forged of beside)
      expect((await verify(packOf(...breaches, forged))).said).toEqual([misplaced(8)]);
    const mirrored: Sealed = [
      'dsar',
      { step: 'extended', at: at.at, request: null, breach: { request_id: R2 } },
    ];
    expect((await verify(packOf(created, resolved, mirrored))).said).toEqual([misplaced(8)]);
    const empty: Sealed = ['dsar', record, { imported_on: '' }];
    expect((await verify(packOf(created, resolved, empty))).said).toContain(misplaced(8));
    const nullish: Sealed = ['dsar', record, { imported_on: null }];
    expect((await verify(packOf(created, resolved, nullish))).verdict).toBe('failed');
  });

  test('those of a breach, too', async () => {
    const breach = ([, record]: Sealed): Sealed => [
      'breach',
      { ...record, request: undefined, breach: { breach_id: R1 } },
    ];
    const steps = [created, resolved, extended].map(breach);
    for (const [, record] of steps) delete record.request;
    expect((await verify(packOf(...steps))).said).toEqual([misplaced(8)]);
  });

  test('what was imported comes before the steps since, and what waits has no place yet', async () => {
    const imported = stepOf(R1, 'imported', '2025-12-31T09:00:00.000Z', IMPORTED);
    expect((await verify(packOf(imported, extended, resolved))).verdict).toBe('verified');
    const waiting = packOf(resolved, extended);
    Object.assign(lineOf(waiting, 'record', 1), { leaf: null, proof: null, pending: true });
    expect((await verify(waiting)).said).toEqual([]);
  });
});
