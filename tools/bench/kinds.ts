import type { Promised } from './ledger';
import {
  beacon,
  bundleScript,
  consentWrite,
  fromAnywhere,
  impression,
  preferencesRead,
  type Template,
} from './requests';

/** A request that Avow is asked to answer, and what each answer promises to be stored. */
export interface Kind {
  templates(tokens: string[]): Template[];
  promises: Partial<Promised>;
  /** Sessions are taken from the first so many, which have a decision. */
  cycle?: number;
}

/** Sessions of each host that have a decision before anything is measured. */
export const KNOWN_SESSIONS = 20_000;

export const consents: Kind = {
  templates: ([token = '']) => [consentWrite(token)],
  promises: { decisions: 1 },
};

/** To many sites and from many addresses, so that the rate limiter counts each and refuses none. */
export const consentsFromAnywhere: Kind = {
  templates: (tokens) => tokens.map((token) => consentWrite(token, fromAnywhere)),
  promises: { decisions: 1 },
};

export const preferences: Kind = {
  templates: ([token = '']) => [preferencesRead(token)],
  promises: {},
  cycle: KNOWN_SESSIONS,
};

export const impressions: Kind = {
  templates: ([token = '']) => [impression(token)],
  promises: { impressions: 1 },
};

export const beacons: Kind = {
  templates: ([token = '']) => [beacon(token)],
  promises: { decisions: 1, keys: 1 },
};

/** The banner's script, as every page of a site asks for it. */
export const scripts: Kind = {
  templates: ([token = '']) => [bundleScript(token)],
  promises: {},
};
