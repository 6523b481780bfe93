import { siteOf } from '../domain/cookies/party';
import type { Policy } from '../net/policy';
import type { NameResolver } from '../net/resolver';
import { hostOf } from '../net/target';
import { connectorOf } from './connect';
import { decode, get, readBody } from './http-engine';
import { Budget, SCAN_LIMITS } from './limits';
import { scriptsOf } from './page-source';
import { VisitCookies } from './set-cookie';

/** What one look may take: a start page and a file, by https, and by http where that does not answer. */
const LIMITS = { ...SCAN_LIMITS, totalMs: 10_000, bytes: 3 * 1024 * 1024, requests: 20, hosts: 4 };
const MAX_REDIRECTS = 5;
/** How much of a file is looked at. */
const MAX_FILE = 4_096;
export const PROOF_FILE = '/.well-known/avow-site.txt';

/** A site that names a domain as its own. */
export interface Claim {
  domain: string;
  token: string;
  /** The site's address: where the domain is served, when it is not at the usual port. */
  url: string;
}

export type Proof = 'dns' | 'file' | 'script';
export type Prover = (claim: Claim, stopped?: AbortSignal) => Promise<Proof | undefined>;

/** What the TXT record and the file say: the token is public, and who can publish it has the domain. */
export const proofText = (token: string): string => `avow-site=${token}`;
export const proofName = (domain: string): string => `_avow.${domain}`;

/** Looks for what only whoever has the domain can publish. Never fails: what is not found proves nothing. */
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
    // The start page alone: other pages may be somebody else's, as those of a forum's members are.
    const page = await read(`${origin}/`, claim.domain, policy, budget);
    if (page === undefined) continue;
    const scripts = await scriptsOf(page.text, page.url.href, budget.signal);
    if (scripts.some((script) => isScriptOf(script, claim.token))) return 'script';
  }
  return undefined;
}

/** Where a domain is served: at the site's address when that is on the domain, and at the usual ports. */
function originsOf({ domain, url }: Claim): string[] {
  const own = URL.canParse(url) ? new URL(url) : undefined;
  const isOwn = own !== undefined && /^https?:$/.test(own.protocol) && isAt(own, domain);
  return [...new Set([...(isOwn ? [own.origin] : []), `https://${domain}`, `http://${domain}`])];
}

/** `www.` stands for its domain, and redirects between the two are usual; any other host is another's. */
const isAt = (url: URL, domain: string): boolean => siteOf(hostOf(url)) === siteOf(domain);

/** `/api/bundles/TOKEN.js` and `/api/bundles/TOKEN/HASH.js`, wherever this server is reached. */
function isScriptOf(address: string, token: string): boolean {
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return path.includes(`/api/bundles/${token}.`) || path.includes(`/api/bundles/${token}/`);
}

/** What a page or file of the domain says; undefined when it does not answer. */
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
      if (status < 300 || status > 399 || !URL.canParse(headers.location ?? '', url.href)) break;
      url = new URL(headers.location as string, url);
      if (!/^https?:$/.test(url.protocol)) break;
    }
  } catch {
    // Not reachable, or not allowed to be reached.
  }
  return undefined;
}
