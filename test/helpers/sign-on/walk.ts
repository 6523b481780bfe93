import { createHash, randomBytes } from 'node:crypto';
import { CookieJar } from 'tough-cookie';
import type { Client } from '../server';

/** A browser that keeps cookies and follows the provider's pages, without drawing them. */
export class Walker {
  readonly jar = new CookieJar();

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: await this.jar.getCookieString(url) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) await this.jar.setCookie(cookie, url);
    return response;
  }

  /** Logs in at the provider as this person and agrees; returns the address that it sends the browser back to. */
  async authorise(url: string, login: string, back: string): Promise<URL> {
    let response = await this.fetch(url);
    for (let steps = 0; steps < 20; steps += 1) {
      const next = response.headers.get('location');
      if (next !== null) {
        const target = new URL(next, response.url || url);
        if (target.href.startsWith(back)) return target;
        response = await this.fetch(target.href);
        Object.defineProperty(response, 'url', { value: target.href });
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined) throw new Error(`the provider shows no form: ${page.slice(0, 500)}`);
      const prompt = /name="prompt" value="([a-z]+)"/.exec(page)?.[1] ?? '';
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
      const target = new URL(action, response.url || url).href;
      response = await this.fetch(target, { method: 'POST', body });
      Object.defineProperty(response, 'url', { value: target });
    }
    throw new Error('the provider goes round in circles');
  }
}

/** A secret of a browser and its hash. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, challenge: createHash('sha256').update(secret).digest('base64url') };
}

/** What the browser comes back with, for finishSignOn and proveLink. */
export interface Returned {
  provider: string;
  state: string;
  code: string;
  iss?: string;
  secret: string;
}

/** beginSignOn, or beginLink of somebody who is logged in. */
type Begin = (input: {
  body: { provider: string; challenge: string };
}) => Promise<{ authorization_url: string }>;

/** Goes to the provider and comes back; `begin` is beginSignOn or beginLink. */
export async function comeBack(
  begin: Begin,
  login: string,
  { provider = 'acme', walker = new Walker() } = {},
): Promise<Returned> {
  const { secret, challenge } = newSecret();
  const { authorization_url } = await begin({ body: { provider, challenge } });
  const redirect = new URL(authorization_url).searchParams.get('redirect_uri') as string;
  const { searchParams } = await walker.authorise(authorization_url, login, redirect);
  const [state, code, iss] = ['state', 'code', 'iss'].map((name) => searchParams.get(name) ?? undefined);
  if (state === undefined || code === undefined) throw new Error(`no code: ${searchParams}`);
  return { provider, state, code, secret, ...(iss !== undefined && { iss }) };
}

/** Logs in by the provider as one of its people. */
export const signOn = async (visitor: Client, login: string, options?: Parameters<typeof comeBack>[2]) =>
  visitor.finishSignOn({ body: await comeBack(visitor.beginSignOn, login, options) });

/** Links somebody of the provider to the account of a client, who agrees to it. */
export async function linkTo(client: Client, login: string, options?: Parameters<typeof comeBack>[2]) {
  const { link } = await client.proveLink({ body: await comeBack(client.beginLink, login, options) });
  return client.finishLink({ body: { link } });
}
