/** What the panel shows and what is copied: addresses without query and fragment, no id of a session. */
export interface Report {
  kind: 'avow-diagnostics';
  version: 1;
  made_at: string;
  page: string;
  banner: Banner;
  now: Now;
  /** In order of time. */
  states: State[];
  loads: Load[];
  held: Waiting[];
  /** What the data layer has of consent, in its order. */
  layer: Entry[];
  signals: Signal[];
  /** What was left out, in words. */
  cut: string[];
}

export interface Banner {
  /** Whether the script has run, is awaited by its stub, or there is neither. */
  state: 'running' | 'waiting' | 'missing';
  site: string | null;
  bundle: string | null;
  settings_version: number | null;
  policy_version: string | null;
  /** Whether what is loaded by the page can wait although nobody has marked it up. */
  auto_blocking: boolean | null;
  /** Why the bundle's settings are not known. */
  problem: string | null;
}

export interface Now {
  gpc: boolean;
  region: string | null;
  rule: string | null;
  /** Where the browser keeps the decision. */
  kept: ('local_storage' | 'cookie')[];
}

/** What is allowed from a time on. */
export interface State {
  /** Milliseconds since the page began; 0 for what was decided before. */
  ms: number;
  /** From when it may have been in force, where it was heard only later. */
  since?: number;
  earlier: boolean;
  decision: string | null;
  method: string | null;
  rule: string | null;
  /** Null where nobody can tell any more. */
  categories: Record<string, boolean> | null;
  vendors?: Record<string, boolean>;
}

/**
 * `before`: without consent, nothing was decided. `refused`: although it was refused. `free`: needs none. `passed`: a rule
 * of the site lets it pass. `unknown`: nobody has said what it is for. `unclear`: it cannot be told, because the
 * state of that time, the site's settings or the mark-up do not say it.
 */
export type Verdict = 'allowed' | 'before' | 'refused' | 'free' | 'passed' | 'unknown' | 'unclear';

/** What it waits for, and who says so. */
export interface Purpose {
  categories: string[];
  vendor?: number;
  /** Whose it is, by the list of known hosts. */
  name?: string;
  by: 'markup' | 'rule' | 'known' | 'nobody';
  passed?: boolean;
}

export interface Load extends Purpose {
  ms: number;
  kind: string;
  url: string;
  verdict: Verdict;
}

export interface Waiting extends Purpose {
  kind: string;
  url: string;
}

export interface Entry {
  /** Its place in the data layer, from 1. */
  n: number;
  what: string;
  more: Record<string, string>;
}

/** What was told to others than Google. */
export interface Signal {
  to: string;
  what: string;
}
