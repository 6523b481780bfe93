import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

const described = (entries: readonly (readonly [number, string, string?])[], examples = false) =>
  Object.fromEntries(
    entries.map(([id, name, description = `About: ${name}.`]) => [
      id,
      { id, name, description, ...(examples && { illustrations: [`For example: ${name}.`, ''] }) },
    ]),
  );

const PURPOSES = [
  [1, 'Store and/or access information on a device'],
  [2, 'Use limited data to select advertising'],
  [3, 'Create profiles for personalised advertising'],
  [4, 'Use profiles to select personalised advertising'],
  [5, 'Create profiles to personalise content'],
  [6, 'Use profiles to select personalised content'],
  [7, 'Measure advertising performance'],
  [8, 'Measure content performance'],
  [9, 'Understand audiences through statistics or combinations of data from different sources'],
  [10, 'Develop and improve services'],
  [11, 'Use limited data to select content'],
] as const;

/** The texts of a list, and of a file of translations: each name says its language. */
export const textsFile = (language = ''): Json => {
  const said = (entries: readonly (readonly [number, string])[]) =>
    entries.map(([id, name]) => [id, language === '' ? name : `${language}: ${name}`] as const);
  return {
    purposes: described(said(PURPOSES), true),
    specialPurposes: described(
      said([
        [1, 'Ensure security, prevent and detect fraud, and fix errors'],
        [2, 'Deliver and present advertising and content'],
      ]),
      true,
    ),
    features: described(
      said([
        [1, 'Match and combine data from other data sources'],
        [2, 'Link different devices'],
        [3, 'Identify devices based on information transmitted automatically'],
      ]),
    ),
    specialFeatures: described(
      said([
        [1, 'Use precise geolocation data'],
        [2, 'Actively scan device characteristics for identification'],
      ]),
    ),
    dataCategories: described(
      said([
        [1, 'IP addresses'],
        [2, 'Device characteristics'],
        [3, 'Device identifiers'],
        [6, 'Browsing and interaction data'],
      ]),
    ),
    stacks: {
      1: { id: 1, name: 'Precise geolocation data', description: '', purposes: [], specialFeatures: [1] },
    },
  };
};

/** A vendor as the list has it. */
export const listed = (id: number, more: Json = {}): Json => ({
  id,
  name: `Vendor ${id}`,
  purposes: [1],
  legIntPurposes: [],
  flexiblePurposes: [],
  specialPurposes: [],
  features: [],
  specialFeatures: [],
  cookieMaxAgeSeconds: 31_536_000,
  usesCookies: true,
  cookieRefresh: false,
  usesNonCookieAccess: false,
  dataRetention: { stdRetention: 365, purposes: {}, specialPurposes: {} },
  urls: [{ langId: 'en', privacy: `https://vendor${id}.example/privacy` }],
  dataDeclaration: [1, 3],
  deviceStorageDisclosureUrl: `https://vendor${id}.example/storage.json`,
  ...more,
});

const VENDORS: Json[] = [
  listed(2, {
    ...{ name: 'Alpha Ads', purposes: [1, 2, 3, 4], legIntPurposes: [7, 9, 10], flexiblePurposes: [7, 10] },
    ...{ specialPurposes: [1, 2], features: [1, 3], specialFeatures: [1, 2], cookieRefresh: true },
    dataRetention: { stdRetention: 400, purposes: { 3: 90 }, specialPurposes: { 1: 30 } },
    urls: [
      {
        langId: 'en',
        privacy: 'https://alpha.example/privacy',
        legIntClaim: 'https://alpha.example/interest',
      },
      { langId: 'de', privacy: 'https://alpha.example/datenschutz' },
    ],
  }),
  listed(3, { name: 'Beta Metrics', purposes: [1, 8, 9], features: [2] }),
  listed(5, { name: 'Gamma Interest', purposes: [], legIntPurposes: [2, 7, 8], flexiblePurposes: [2] }),
  listed(6, { name: 'Delta Security', purposes: [], specialPurposes: [1], usesCookies: false }),
  listed(8, {
    name: 'Epsilon Content',
    purposes: [1, 5, 6],
    legIntPurposes: [11],
    usesNonCookieAccess: true,
  }),
  listed(9, { name: 'Zeta Gone', deletedDate: '2025-03-01T00:00:00Z' }),
  listed(12, { name: 'Eta Consent', purposes: [1, 2, 7], cookieMaxAgeSeconds: -1 }),
  listed(13),
  listed(14),
  listed(20, {
    name: 'Theta Everything',
    purposes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    specialPurposes: [2],
  }),
  listed(21, { name: 'Iota Research', purposes: [1, 9, 10], legIntPurposes: [8] }),
  listed(755, {
    name: 'Kappa Exchange',
    purposes: [1, 3, 4],
    legIntPurposes: [2, 7, 9, 10],
    features: [1, 2],
  }),
];

/** A vendor list of the real format, with what `more` says. */
export function vendorList(more: Json = {}, vendors: readonly Json[] = VENDORS): Json {
  return {
    gvlSpecificationVersion: 3,
    vendorListVersion: 120,
    tcfPolicyVersion: 5,
    lastUpdated: '2026-11-19T16:00:20Z',
    ...textsFile(),
    vendors: Object.fromEntries(vendors.map((one) => [String(one.id), one])),
    ...more,
  };
}

export const vendors = (): Json[] => structuredClone(VENDORS);

/** A host of the list, as IAB Europe's is: its files by name, and which were asked for. */
export interface ListHost {
  place: string;
  files: Map<string, string | Buffer>;
  asked: string[];
  /** Answers instead of the files. */
  answer: ((response: import('node:http').ServerResponse) => void) | undefined;
  stop(): Promise<void>;
}

export async function startListHost(list: Json = vendorList()): Promise<ListHost> {
  const files = new Map<string, string | Buffer>([
    ['vendor-list.json', JSON.stringify(list)],
    ['purposes-de.json', JSON.stringify(textsFile('de'))],
    ['purposes-pt-pt.json', JSON.stringify(textsFile('pt'))],
  ]);
  const host: ListHost = { place: '', files, asked: [], answer: undefined, stop: async () => undefined };
  const server: Server = createServer((request, response) => {
    const name = (request.url ?? '').replace('/v3/', '');
    host.asked.push(name);
    if (host.answer !== undefined) {
      host.answer(response);
      return;
    }
    const found = files.get(name);
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
  host.stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return host;
}
