import { siteOf } from '../domain/cookies/party';
import { webUrl } from '../domain/web-address';
import type { Policy } from '../net/policy';
import type { NameResolver } from '../net/resolver';
import { hostOf } from '../net/target';
import { connectorOf } from './connect';
import { decode, get, readBody } from './http-engine';
import { Budget, SCAN_LIMITS } from './limits';
import { loadsScript } from './page-source';
import { redirected } from './redirect';
import { VisitCookies } from './set-cookie';

/** The budget of one check: a start page and a file over https, and over http when https does not answer. */
const LIMITS = { ...SCAN_LIMITS, totalMs: 10_000, bytes: 3 * 1024 * 1024, requests: 20, hosts: 4 };
const MAX_REDIRECTS = 5;
/** How much of a file is read. */
const MAX_FILE = 4_096;
export const PROOF_FILE = '/.well-known/avow-site.txt';

/** A site that claims a domain. */
export interface Claim {
  domain: string;
  token: string;
  /** The site's URL, which tells where the domain is served when not on the default port. */
  url: string;
}

export type Proof = 'dns' | 'file' | 'script';
export type Prover = (claim: Claim, stopped?: AbortSignal) => Promise<Proof | undefined>;

/**
 * The content of the TXT record and the file. The token is public; being able to publish it proves control of
 * the domain.
 */
export const proofText = (token: string): string => `avow-site=${token}`;
export const proofName = (domain: string): string => `_avow.${domain}`;

/** Looks for what only the domain's owner can publish. Never fails: an unavailable proof is no proof. */
export function createProver({ policy, texts }: { policy: Policy; texts: NameResolver['texts'] }): Prover {
  return async (claim, stopped) => {
    const budget = new Budget(LIMITS, 0, stopped);
    try {
      const [dns, web] = await Promise.all([
        byName(claim, texts, budget.signal),
        byWeb(claim, policy, budget),
      ]);
      return dns ? 'dns' : web;
    } finally {
      budget.release();
    }
  };
}

async function byName(
  { domain, token }: Claim,
  texts: NameResolver['texts'],
  signal: AbortSignal,
): Promise<boolean> {
  const found = await texts(proofName(domain), signal).catch(() => []);
  return found.some((text) => text.trim() === proofText(token));
}

async function byWeb(claim: Claim, policy: Policy, budget: Budget): Promise<Proof | undefined> {
  for (const origin of originsOf(claim)) {
    const file = await read(`${origin}${PROOF_FILE}`, claim.domain, policy, budget);
    const lines = file?.text.slice(0, MAX_FILE).split(/\r?\n/) ?? [];
    if (lines.some((line) => line.trim() === proofText(claim.token))) return 'file';
    // Only the start page: other pages may belong to somebody else, such as members of a forum.
    const page = await read(`${origin}/`, claim.domain, policy, budget);
    if (page === undefined) continue;
    const isOurs = (script: URL): boolean => isScriptOf(script, claim.token);
    if (await loadsScript(page.text, page.url.href, isOurs, budget.signal)) return 'script';
  }
  return undefined;
}

/** Where a domain is served: at the site's URL if it is on the domain, and at the default ports. */
function originsOf({ domain, url }: Claim): string[] {
  const own = webUrl(url);
  const isOwn = own !== undefined && isAt(own, domain);
  return [...new Set([...(isOwn ? [own.origin] : []), `https://${domain}`, `http://${domain}`])];
}

/** `www.` counts as its domain, and redirects between the two are common; any other host is foreign. */
const isAt = (url: URL, domain: string): boolean => siteOf(hostOf(url)) === siteOf(domain);

/** `/api/bundles/TOKEN.js` and `/api/bundles/TOKEN/HASH.js`, wherever this server is reached. */
const isScriptOf = ({ pathname }: URL, token: string): boolean =>
  pathname.includes(`/api/bundles/${token}.`) || pathname.includes(`/api/bundles/${token}/`);

/** The content of a page or file of the domain; undefined when it does not answer. */
async function read(
  address: string,
  domain: string,
  policy: Policy,
  budget: Budget,
): Promise<{ text: string; url: URL } | undefined> {
  const connect = connectorOf(policy, budget);
  const jar = new VisitCookies();
  let url = new URL(address);
  try {
    for (let count = 0; count <= MAX_REDIRECTS && isAt(url, domain); count += 1) {
      const answer = await get(url, connect, budget, jar);
      const { statusCode: status = 0, headers } = answer;
      if (status === 200) {
        const body = await readBody(answer, budget);
        return { text: await decode(body, headers['content-encoding'], LIMITS.bytes), url };
      }
      answer.destroy();
      if (status < 300 || status > 399 || headers.location === undefined) break;
      const to = redirected(headers.location, url);
      if (to === undefined) break;
      url = to;
    }
  } catch {
    // Unreachable, blocked by the policy, or led to an address that is too long.
  }
  return undefined;
}
