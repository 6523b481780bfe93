import { GppModel } from '@iabgpp/cmpapi';
import { encodeGpp, encodeSection, sectionOf, segmentsOf, US_SECTIONS } from '../helpers/gpp/banner-code';
import { decoded, NAMES } from '../helpers/gpp/decoded';
import { encode as tcString } from '../helpers/tcf/banner-code';

const NOTICES = ['SharingNotice', 'ProcessingNotice', 'SaleOptOutNotice', 'SharingOptOutNotice'];
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const MSPA = ['MspaOptOutOptionMode', 'MspaServiceProviderMode'];
/** What of a section a banner can say; each 0, 1 or 2. */
const SAID = [...NOTICES, 'TargetedAdvertisingOptOutNotice', ...OPT_OUTS, 'MspaCoveredTransaction', ...MSPA];
/** Only 1 and 2 are values of it. */
const COVERED = { MspaCoveredTransaction: 2 };
const IDS = US_SECTIONS.map(({ id, name }) => [name, id] as const);

const CHOICE = { purposes: [1, 3], legInt: [7], special: [], vendors: [2, 755], legIntVendors: [5] };
const FRAME = {
  ...{ at: Date.UTC(2026, 10, 28), cmpId: 300, cmpVersion: 1, language: 'en', screen: 1, listVersion: 120 },
  ...{
    policyVersion: 5,
    purposeOneTreatment: false,
    country: 'DE',
    restrictions: [],
    disclosed: [2, 5, 755],
  },
};

const stringOf = (id: number, said: Record<string, number>, gpc: boolean): string =>
  encodeGpp([{ id, text: encodeSection(segmentsOf(id, said, gpc)) }]);

/** The same string by the IAB's own encoder. */
function iabString(id: number, said: Record<string, number>, gpc: boolean): string {
  const model = new GppModel();
  const name = NAMES.get(id) as string;
  // The first makes the section.
  model.setFieldValue(name, 'MspaCoveredTransaction', said.MspaCoveredTransaction);
  for (const [field, value] of Object.entries(said))
    if (model.hasField(name, field)) model.setFieldValue(name, field, value);
  if (model.hasField(name, 'Gpc')) model.setFieldValue(name, 'Gpc', gpc);
  return model.encode();
}

test('sections have the numbers and names of the IAB, from the national one on', () => {
  expect(IDS).toHaveLength(17);
  for (const [name, id] of IDS) expect(NAMES.get(id)).toBe(name);
});

test('a state has its own section where the IAB has published one, else the national one', () => {
  expect(['CA', 'VA', 'CO', 'UT', 'CT', 'FL', 'MT', 'OR', 'TX'].map(sectionOf)).toEqual([
    ...[8, 9, 10, 11, 12, 13, 14, 15, 16],
  ]);
  expect(['DE', 'IA', 'NE', 'NH', 'NJ', 'TN', 'MN'].map(sectionOf)).toEqual([17, 18, 19, 20, 21, 22, 23]);
  // Without an act, with a draft alone, no state, and what looks like the name of the national one.
  expect(['NY', 'MD', 'IN', 'KY', 'RI', 'NAT', '', undefined].map(sectionOf)).toEqual(new Array(8).fill(7));
});

describe.each(IDS)('%s', (name, id) => {
  const fieldsOf = (said: Record<string, number>, gpc = false) =>
    decoded(stringOf(id, { ...COVERED, ...said }, gpc))[name] ?? {};

  test('the IAB’s library reads each field as it was written, and all others as not applicable', () => {
    const own = SAID.filter((field) => field in (segmentsOf(id, {}, false)[0] ?? {}));
    expect(own.length).toBeGreaterThanOrEqual(7);
    const nothing = fieldsOf({});
    for (const field of own)
      for (const value of [1, 2])
        expect(fieldsOf({ [field]: value })).toEqual({ ...nothing, [field]: value });
    const { Version, MspaCoveredTransaction, ...others } = nothing;
    expect([Version, MspaCoveredTransaction]).toEqual([name === 'usnat' ? 2 : 1, 2]);
    const values = Object.entries(others).filter(([key]) => !key.startsWith('Gpc'));
    for (const [, value] of values) expect([value].flat().every((one) => one === 0)).toBe(true);
  });

  test('the names of its fields are those of the library, and in lists as many kinds', () => {
    const [core, ...parts] = segmentsOf(id, COVERED, true);
    const found = Object.fromEntries(
      Object.entries(fieldsOf({}, true)).filter(([key]) => !key.startsWith('Gpc')),
    );
    expect(core).toEqual(found);
    const gpc = fieldsOf({}, true).Gpc;
    expect(parts).toEqual(gpc === undefined ? [] : [{ SubsectionType: 1, Gpc: true }]);
    if (gpc !== undefined) expect([gpc, fieldsOf({}).Gpc]).toEqual([true, false]);
  });

  test('it is the same text as by the IAB’s own encoder, for every value that a banner gives', () => {
    for (const optOut of [0, 1, 2])
      for (const notice of [0, 1, 2])
        for (const [covered, option, provider] of [
          [1, 1, 2],
          [1, 2, 1],
          [2, 0, 0],
        ] as const)
          for (const gpc of [true, false]) {
            const said = {
              ...Object.fromEntries(
                [...NOTICES, 'TargetedAdvertisingOptOutNotice'].map((key) => [key, notice]),
              ),
              ...Object.fromEntries(OPT_OUTS.map((key) => [key, optOut])),
              MspaCoveredTransaction: covered,
              MspaOptOutOptionMode: option,
              MspaServiceProviderMode: provider,
            };
            expect(stringOf(id, said, gpc)).toBe(iabString(id, said, gpc));
          }
  });

  test('with the TC string before it, both are read', () => {
    const tc = tcString(CHOICE, FRAME);
    const text = encodeSection(segmentsOf(id, { ...COVERED, SaleOptOut: 1 }, true));
    const string = encodeGpp([
      { id: 2, text: tc },
      { id, text },
    ]);
    expect(new GppModel(string).getSectionIds()).toEqual([2, id]);
    expect(string.split('~')).toEqual([expect.stringMatching(/^DBAC/), tc, text]);
    expect(decoded(string)).toMatchObject({
      [name]: { SaleOptOut: 1 },
      tcfeuv2: { VendorConsents: [2, 755] },
    });
  });
});

test('a string without a section is a header', () => {
  expect(encodeGpp([])).toBe('DBAA');
  expect(new GppModel('DBAA').getSectionIds()).toEqual([]);
});

test('the header has the bits of the specification’s own example', () => {
  // Amount 1, single, Fibonacci 2: 000011 000001 000000000001 0 011.
  expect(encodeGpp([{ id: 2, text: 'x' }])).toBe('DBABMA~x');
  // Amount 2, singles, Fibonacci 2 and 4; the library ends it with a whole byte, as it does every header.
  const two = [2, 6].map((id) => ({ id, text: 'x' }));
  expect(encodeGpp(two)).toBe('DBACNYA~x~x');
});
