/** Replaced by eight hexadecimal digits that differ from request to request. */
const ID = '@@@@@@@@';
/** Replaced by the first four of them. */
const SHORT = '####';

/** A request as text; the load generator puts new digits into the marked places. */
export interface Template {
  text: string;
}

/** A request as bytes, and the places of its digits. */
export interface Prepared {
  bytes: Buffer;
  places: { at: number; digits: number }[];
}

const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const PAGE = 'https://shop.example.com/products/42?utm_source=mail';
const SESSION = `${ID}-7c1d-4a6e-9b59-0d6a8c1f2b3c`;

/** `POST /log`: a decision with everything that the banner sends. */
export const consentWrite = (token: string, headers = ''): Template =>
  post(
    `/api/consents/${token}/log`,
    'application/json',
    {
      session_id: SESSION,
      decision: 'save_preferences',
      categories: { functional: true, analytics: true, marketing: false },
      language: 'en',
      page_url: PAGE,
      banner_version: 1,
    },
    headers,
  );

/** `GET /api/preferences`: the request of a returning visitor's page. */
export const preferencesRead = (token: string): Template => ({
  text: `GET /api/preferences/${token}?session_id=${SESSION} HTTP/1.1\r\n${common()}\r\n`,
});

/** The report that the banner was shown. */
export const impression = (token: string): Template =>
  post(`/api/impressions/${token}`, 'application/json', { language: 'en', page_url: PAGE });

/** A decision as `navigator.sendBeacon` sends it when the page is left. */
export const beacon = (token: string): Template =>
  post(`/api/v/${token}/ce`, 'text/plain;charset=UTF-8', {
    event_id: `${ID}-6b1f-4a52-8d6c-7f1f0c5f1a10`,
    session_id: SESSION,
    decision: 'save_preferences',
    allowed: ['analytics'],
    language: 'en',
    page_url: PAGE,
  });

const LANGUAGES = ['en', 'de', 'fr', 'nl'];
const SYSTEMS = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'Linux; Android 10; K',
  'iPhone; CPU iPhone OS 18_6 like Mac OS X',
  'X11; Linux x86_64',
];
/** Decisions of twenty visitors. */
const DECISIONS = [
  ...new Array(11).fill({ decision: 'accept_all' }),
  ...new Array(6).fill({ decision: 'reject_all' }),
  ...[['analytics'], ['functional'], ['functional', 'analytics']].map((allowed) => ({
    decision: 'save_preferences',
    allowed,
  })),
];

/** One of many kinds of visitors: 400 pages of which few are seen often, 100 browsers, 4 languages. */
export function variedBeacon(token: string, n: number): Template {
  const page = Math.floor(400 ** (((n * 7919) % 1009) / 1009));
  const agent = `Mozilla/5.0 (${SYSTEMS[n % 5]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${122 + (n % 20)}.0.0.0 Safari/537.36`;
  return post(
    `/api/v/${token}/ce`,
    'text/plain;charset=UTF-8',
    {
      event_id: `${ID}-6b1f-4a52-8d6c-7f1f0c5f1a10`,
      session_id: SESSION,
      ...DECISIONS[(n * 13) % 20],
      language: LANGUAGES[n % 4],
      page_url: `https://shop.example.com/products/category-${page % 12}/item-${page}`,
    },
    '',
    agent,
  );
}

/** The script of a site's banner, as a browser requests it. */
export const bundleScript = (token: string): Template => ({
  text: `GET /api/bundles/${token}.js HTTP/1.1\r\n${common()}Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n`,
});

/** Headers that make each request come from another address, behind one proxy. */
export const fromAnywhere = `X-Forwarded-For: 2001:db8:${SHORT}::1\r\n`;

function post(path: string, type: string, body: object, headers = '', agent = AGENT): Template {
  const text = JSON.stringify(body);
  return {
    text: `POST ${path} HTTP/1.1\r\n${common(agent)}${headers}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  };
}

const common = (agent = AGENT): string =>
  `Host: 127.0.0.1\r\nUser-Agent: ${agent}\r\nAccept: */*\r\nOrigin: https://shop.example.com\r\n`;

/** The bytes of a template and the places of its digits. */
export function prepare({ text }: Template): Prepared {
  const places = [...text.matchAll(new RegExp(`${ID}|${SHORT}`, 'g'))].map(({ index, 0: mark }) => ({
    at: index,
    digits: mark.length,
  }));
  return { bytes: Buffer.from(text, 'latin1'), places };
}

const HEX = Buffer.from('0123456789abcdef');

/**
 * Writes the digits of the n-th request. They are spread over the whole range like random ids, and are
 * different for 2^32 requests.
 */
export function number({ bytes, places }: Prepared, n: number): void {
  const spread = Math.imul(n, 0x9e3779b1) >>> 0;
  for (const { at, digits } of places) {
    for (let i = 0; i < digits; i += 1) bytes[at + i] = HEX[(spread >>> (28 - 4 * i)) & 15] as number;
  }
}
