import { isPolicy } from '../domain/ledger/oid';
import { COSIGNING_KEY, readVkey, type VerifierKey } from '../domain/ledger/open-note';

/** Witnesses and authorities, at most of each. */
const MOST = 16;
/** Characters of the name of an authority: verifiers of packs read no longer one. */
const LONGEST_NAME = 500;

/** A witness that cosigns checkpoints. */
export interface WitnessAddress {
  vkey: string;
  key: VerifierKey;
  /** The prefix of its `add-checkpoint`, without a trailing slash. */
  url: string;
}

/** An authority that gives time-stamps. */
export interface AuthorityAddress {
  url: string;
  /** How it is named to others: without the query, which may hold a secret. */
  name: string;
  /** The policy that its time-stamps must be given under; undefined: any. */
  policy: string | undefined;
}

/** The names under which all that is known of them is stored. */
export const voucherIds = (config: {
  witnesses: readonly WitnessAddress[];
  timestampUrls: readonly AuthorityAddress[];
}): string[] => [
  ...config.witnesses.map(({ vkey }) => vkey),
  ...config.timestampUrls.map(({ name }) => name),
];

/** `vkey url`, several separated by commas or lines. */
export function witnesses(text: string): WitnessAddress[] {
  const wrong =
    'a verifier key and a URL, such as "witness.example.com+1a2b3c4d+BE… https://witness.example.com"';
  const list = partsOf(text, /[,\n]/).map((part) => {
    const [vkey = '', url = '', more] = part.split(/\s+/);
    const key = readVkey(vkey);
    if (key?.type !== COSIGNING_KEY || more !== undefined || !isAddress(url) || /[?#]/.test(url)) {
      throw new Error(`${wrong}; several of them separated by commas`);
    }
    return { vkey, key, url: url.endsWith('/') ? url.slice(0, -1) : url };
  });
  if (new Set(list.map(({ vkey }) => vkey)).size < list.length) throw new Error('each witness once');
  return list;
}

/** URLs separated by spaces, each with `#` and the OID of a policy if it must be that one. */
export function authorities(text: string): AuthorityAddress[] {
  const list = partsOf(text, /\s+/).map((part) => {
    const [url = '', policy] = part.split('#', 2);
    if (!isAddress(url) || (policy !== undefined && !isPolicy(policy))) {
      throw new Error(
        'URLs such as https://authority.example.com/tsr, separated by spaces; behind # the OID of a policy that is asked for',
      );
    }
    const { origin, pathname } = new URL(url);
    if (origin.length + pathname.length > LONGEST_NAME)
      throw new Error(`URLs of ${LONGEST_NAME} characters at most`);
    return { url, policy, name: origin + pathname };
  });
  if (new Set(list.map(({ name }) => name)).size < list.length) throw new Error('each authority once');
  return list;
}

function partsOf(text: string, separator: RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  const list = parts.filter((part) => part !== '');
  if (list.length > MOST) throw new Error(`${MOST} of them at most`);
  return list;
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
