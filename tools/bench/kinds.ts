import type { Promised } from './ledger';
import {
  beacon,
  bundleScript,
  consentWrite,
  fromAnywhere,
  impression,
  preferencesRead,
  type Template,
  variedBeacon,
} from './requests';

/** A kind of request to Avow, and the rows that each successful answer stands for. */
export interface Kind {
  templates(tokens: string[]): Template[];
  promises: Partial<Promised>;
  /** Uses only this many sessions, all of which have a decision. */
  cycle?: number;
}

/** The number of sessions of each host that have a decision before anything is measured. */
export const KNOWN_SESSIONS = 20_000;

export const consents: Kind = {
  templates: ([token = '']) => [consentWrite(token)],
  promises: { decisions: 1 },
};

/** To all sites in turn. */
export const consentsOfAll: Kind = {
  templates: (tokens) => tokens.map((token) => consentWrite(token)),
  promises: { decisions: 1 },
};

/** To many sites and from many addresses, so that the rate limiter has to count but refuses nothing. */
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
  promises: { decisions: 1 },
};

/** Decisions of visitors as different as those of a shop, from the n-th one on; each connection is one of them. */
export const variedBeacons = (n: number): Kind => ({
  templates: ([token = '']) => Array.from({ length: 64 }, (_, index) => variedBeacon(token, n + index)),
  promises: { decisions: 1 },
});

/** The banner's script, as every page of a site requests it. */
export const scripts: Kind = {
  templates: ([token = '']) => [bundleScript(token)],
  promises: {},
};
