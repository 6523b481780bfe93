import { randomBytes } from 'node:crypto';
import { clock } from '../domain/clock';
import { HOUR_MS } from '../domain/time';
import type { Mailing } from '../mail/mailing';
import { isSigned, signLink } from './mail/links';

/** Nobody fills in the form in less, in milliseconds. */
const LEAST = 3_000;
/** Nobody leaves it open for longer and then sends it: it is shown again with what was typed. */
const MOST = 12 * HOUR_MS;
/** A server whose clock is a little behind may get what another one has issued. */
const SKEW = 60_000;

const SHAPE = /^([0-9a-z]{8,9})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{32})$/;

type Signer = Pick<Mailing, 'secret'>;

/**
 * What a form of a site carries to show when it was asked for, without a cookie: the time, a number of its own, and a
 * signature over both and the site.
 */
export async function issueForm(signer: Signer, siteId: string, at = clock.now()): Promise<string> {
  const time = Math.floor(at).toString(36);
  const nonce = randomBytes(16).toString('base64url');
  return `${time}.${nonce}.${await signLink(signer, 'form', [siteId, time, nonce])}`;
}

/** `early`: sent sooner than anybody can have filled it in; `bad`: too old, of another site, or not ours. */
export type FormState = 'good' | 'early' | 'bad';

export async function stateOfForm(signer: Signer, siteId: string, text: string): Promise<FormState> {
  const [, time = '', nonce = '', signature = ''] = SHAPE.exec(text) ?? [];
  if (signature === '' || !(await isSigned(signer, 'form', [siteId, time, nonce], signature))) return 'bad';
  const age = clock.now() - Number.parseInt(time, 36);
  if (age > MOST || age < -SKEW) return 'bad';
  return age < LEAST ? 'early' : 'good';
}
