import { TCString } from '@iabtechlabtcf/core';
import { assert, boolean, constantFrom, integer, property, record, subarray } from 'fast-check';
import { TcStringError } from '../../server/src/domain/tcf/bits';
import { decodeTcString, rangesOf } from '../../server/src/domain/tcf/decode';
import { decode, encode, type TcChoice, type TcFrame } from '../helpers/tcf/banner-code';

const upTo = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1);
const PURPOSES = upTo(11);
const VENDORS = upTo(1_400);
/** Few, many, and long stretches: as bits and as ranges. */
const vendors = constantFrom(20, 200, 1_400).chain((most) =>
  boolean().chain((isStretch) =>
    isStretch
      ? integer({ min: 1, max: most }).map((from) => VENDORS.slice(from - 1, most))
      : subarray(VENDORS.slice(0, most)),
  ),
);
const choices = record<TcChoice>({
  purposes: subarray(PURPOSES),
  legInt: subarray([2, 7, 8, 9, 10, 11]),
  special: subarray([1, 2]),
  vendors,
  legIntVendors: vendors,
});
const frames = record<TcFrame>({
  at: integer({ min: 1_600_000_000_000, max: 2_500_000_000_000 }),
  cmpId: integer({ min: 2, max: 4_095 }),
  cmpVersion: integer({ min: 1, max: 4_095 }),
  language: constantFrom('en', 'de', 'zh'),
  screen: integer({ min: 1, max: 63 }),
  listVersion: integer({ min: 1, max: 4_095 }),
  policyVersion: integer({ min: 4, max: 63 }),
  purposeOneTreatment: boolean(),
  country: constantFrom('DE', 'FR', 'AA'),
  restrictions: subarray([
    { purpose: 2, type: 0, vendors: [4, 5, 6, 900] },
    { purpose: 7, type: 1, vendors: [2, 8] },
    { purpose: 10, type: 1, vendors: upTo(300) },
  ]),
  disclosed: vendors,
});
const DAY = 86_400_000;

describe('TC strings', () => {
  test('IAB’s own library reads what the banner writes, whatever was chosen', () => {
    assert(
      property(choices, frames, (choice, frame) => {
        const model = TCString.decode(encode(choice, frame));
        expect([...model.purposeConsents].flatMap(([id, on]) => (on ? id : []))).toEqual(choice.purposes);
        const idsOf = (vector: { forEach(each: (on: boolean, id: number) => void): void }): number[] => {
          const ids: number[] = [];
          vector.forEach((on, id) => {
            if (on) ids.push(id);
          });
          return ids;
        };
        expect({
          legInt: idsOf(model.purposeLegitimateInterests),
          special: idsOf(model.specialFeatureOptins),
          vendors: idsOf(model.vendorConsents),
          legIntVendors: idsOf(model.vendorLegitimateInterests),
          disclosed: idsOf(model.vendorsDisclosed),
        }).toEqual({
          legInt: choice.legInt,
          special: choice.special,
          vendors: choice.vendors,
          legIntVendors: choice.legIntVendors,
          disclosed: frame.disclosed,
        });
        expect(model).toMatchObject({
          version: 2,
          cmpId: frame.cmpId,
          cmpVersion: frame.cmpVersion,
          consentLanguage: frame.language.toUpperCase(),
          consentScreen: frame.screen,
          vendorListVersion: frame.listVersion,
          policyVersion: frame.policyVersion,
          isServiceSpecific: true,
          useNonStandardTexts: false,
          purposeOneTreatment: frame.purposeOneTreatment,
          publisherCountryCode: frame.country,
        });
        const day = Math.floor(frame.at / DAY) * DAY;
        expect([model.created?.getTime(), model.lastUpdated?.getTime()]).toEqual([day, day]);
        const restricted = model.publisherRestrictions
          .getRestrictions()
          .map((one) => ({
            purpose: one.purposeId,
            type: Number(one.restrictionType),
            vendors: model.publisherRestrictions.getVendors(one),
          }))
          .sort((a, b) => a.purpose - b.purpose);
        expect(restricted).toEqual([...frame.restrictions].sort((a, b) => a.purpose - b.purpose));
      }),
      { numRuns: 150 },
    );
  });

  test('the server and the banner read the same', () => {
    assert(
      property(choices, frames, (choice, frame) => {
        const string = encode(choice, frame);
        expect(string.length).toBeLessThan(4_000);
        expect(decode(string)).toEqual(choice);
        expect(decodeTcString(string)).toEqual({
          created: Math.floor(frame.at / DAY) * DAY,
          cmpId: frame.cmpId,
          cmpVersion: frame.cmpVersion,
          language: frame.language.toUpperCase(),
          listVersion: frame.listVersion,
          policyVersion: frame.policyVersion,
          isServiceSpecific: true,
          specialFeatures: choice.special,
          purposes: choice.purposes,
          legInt: choice.legInt,
          purposeOneTreatment: frame.purposeOneTreatment,
          country: frame.country,
          vendors: rangesOf(choice.vendors),
          legIntVendors: rangesOf(choice.legIntVendors),
          restrictions: frame.restrictions.map((one) => ({ ...one, vendors: rangesOf(one.vendors) })),
          disclosed: rangesOf(frame.disclosed),
        });
      }),
      { numRuns: 150 },
    );
  });

  const GOOD = encode(
    { purposes: [1, 2], legInt: [7], special: [], vendors: [2, 8], legIntVendors: [8] },
    {
      ...{ at: 1_790_000_000_000, cmpId: 300, cmpVersion: 1, language: 'en', screen: 1, listVersion: 120 },
      ...{ policyVersion: 5, purposeOneTreatment: false, country: 'DE', restrictions: [], disclosed: [2, 8] },
    },
  );

  test('what is no TC string is refused in words, and never takes long', () => {
    const [core = '', disclosed = ''] = GOOD.split('.');
    const broken = [
      '',
      '.',
      'CPX',
      `${core}.`,
      `.${disclosed}`,
      `${core}.${disclosed}.${disclosed}`,
      `${core}.${disclosed}=`,
      `${core}.gA`,
      `B${core.slice(1)}`,
      core.slice(0, 30),
      // 65,535 vendors as bits that are not there, and ranges that go back.
      `${core}.P__gAAA`,
      'C'.repeat(100_000),
    ];
    for (const text of broken) expect(() => decodeTcString(text)).toThrow(TcStringError);
    expect(decodeTcString(core).disclosed).toBeUndefined();
    // What follows the last field says nothing.
    expect(decodeTcString(`${core}AAAA`)).toEqual(decodeTcString(core));
  });

  test('the banner reads no vendors from ranges that go back or beyond the last', () => {
    const bit = (value: number, length: number): string => value.toString(2).padStart(length, '0');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const core = (most: number, ranges: [number, number][]): string => {
      const listed = ranges.map(([from, to]) => `1${bit(from, 16)}${bit(to, 16)}`).join('');
      const bits = `${bit(0, 213)}${bit(most, 16)}1${bit(ranges.length, 12)}${listed}`;
      const whole = bits.padEnd(Math.ceil(bits.length / 6) * 6, '0');
      return whole.replace(/.{6}/g, (six) => letters[Number.parseInt(six, 2)] as string);
    };
    expect(
      decode(
        core(9, [
          [2, 3],
          [5, 9],
        ]),
      ).vendors,
    ).toEqual([2, 3, 5, 6, 7, 8, 9]);
    const bad: [number, number][][] = [
      [[1, 10]],
      [
        [5, 6],
        [2, 3],
      ],
      [[3, 2]],
      [[0, 1]],
      [
        [1, 9],
        [1, 9],
      ],
    ];
    for (const ranges of bad) expect(decode(core(9, ranges)).vendors).toEqual([]);
  });
});
