import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How the server of these tests knows regions: by headers, as those of a CDN in front of it. */
export const REGION_VARIABLES = { TRUST_PROXY: 'loopback', REGION_HEADER: 'CF-IPCountry, CF-Region-Code' };

/** A visitor of a country, and of a state of it: what a CDN says when the browser asks for its region. */
export async function from(browser: Browser, country: string, state?: string): Promise<BrowserContext> {
  const context = await browser.newContext();
  const told = { 'cf-ipcountry': country, ...(state && { 'cf-region-code': state }) };
  await context.route('**/region*', (route) =>
    route.continue({ headers: { ...route.request().headers(), ...told } }),
  );
  return context;
}

/** A vendor of the page, which calls at once and listens. */
export const VENDOR = `<script>
  window.heard = [];
  __gpp('ping', ({ cmpStatus, signalStatus }, ok) => heard.push(['ping', cmpStatus, signalStatus, ok]));
  __gpp('addEventListener', ({ eventName, data, listenerId, pingData }, ok) =>
    heard.push([eventName, data, pingData.signalStatus, ok, pingData.gppString, listenerId]));
  __gpp('getSection', (value) => heard.push(['early', value]), 'usnat');
</script>`;

export type Heard = [event: string, data: unknown, signal?: string, ok?: boolean, text?: string, id?: number];
export const heard = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
/** The events alone: name and data. */
export const events = async (page: Page): Promise<[string, unknown][]> =>
  (await heard(page)).map(([event, data]) => [event, data]);

/** What a command of `__gpp` answers, as a vendor gets it: value and success. */
export const call = (page: Page, command: string, parameter?: unknown): Promise<[unknown, boolean]> =>
  page.evaluate(
    ([name, given]) =>
      new Promise<[unknown, boolean]>((resolve) => {
        (window as unknown as { __gpp(...all: unknown[]): void }).__gpp(
          name,
          (value: unknown, ok: boolean) => resolve([value, ok]),
          given,
        );
      }),
    [command, parameter],
  );

interface Ping extends Record<string, unknown> {
  gppString: string;
  applicableSections: number[];
}
export const ping = async (page: Page): Promise<Ping> => (await call(page, 'ping'))[0] as Ping;

/** What a vendor in a frame of another site does (IAB Tech Lab, CMP API 1.1). */
export const FRAME = `<script>
  let cmp, at = window;
  while (!cmp) { try { if (at.frames.__gppLocator) cmp = at; } catch {} if (at === window.top) break; at = at.parent; }
  window.answers = [];
  addEventListener('message', ({ data }) => {
    const found = typeof data === 'string' ? JSON.parse(data) : data;
    if (found.__gppReturn) answers.push([typeof data, found.__gppReturn]);
  });
  const send = (call) => cmp?.postMessage({ __gppCall: { version: '1.1', ...call } }, '*');
  send({ command: 'addEventListener', callId: 'a' });
  cmp?.postMessage(JSON.stringify({ __gppCall: { command: 'ping', callId: 7, version: '1.1' } }), '*');
  cmp?.postMessage('{"__gppCall', '*');
  cmp?.postMessage(null, '*');
  send({ command: 'unknown', callId: 'u' });
</script>`;
