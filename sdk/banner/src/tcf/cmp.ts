import type { Tcf } from '../contract.js';
import { safely } from '../page.js';
import { decode, disclosedIn } from './decode.js';
import { idsOf } from './ids.js';
import { beFound, host, type TcfApi } from './locator.js';

type Status = 'tcloaded' | 'cmpuishown' | 'useractioncomplete';
type Call = Parameters<TcfApi>;
type Listener = NonNullable<Call[2]>;

const own = config.tcf as Tcf;
const API_VERSION = '2.2';

/** Undefined until the visitor's region is known. */
let applies: boolean | undefined;
let string: string | undefined;
let status: Status | undefined;
let isVisible = false;
/** Whether this page has shown a layer, and by it all vendors of this bundle. */
export let wasShown = false;
/** Calls that need the region. */
let waiting: Call[] = [];
const listeners = new Map<number, Listener>();

const flags = (all: readonly number[], allowed: readonly number[]): Record<number, boolean> => {
  const on = new Set(allowed);
  return Object.fromEntries(all.map((id) => [id, on.has(id)]));
};

const restrictions = (): Record<number, Record<number, number>> => {
  const all: Record<number, Record<number, number>> = {};
  for (const { purpose, type, vendors } of own.restrictions)
    all[purpose] = { ...all[purpose], ...Object.fromEntries(idsOf(vendors).map((id) => [id, type])) };
  return all;
};

/** `TCData` of the CMP API; what was not asked is in none of its lists. */
function data(listenerId?: number): object {
  const common = {
    tcString: (applies && string) || '',
    tcfPolicyVersion: own.policy_version,
    cmpId: own.cmp_id,
    cmpVersion: own.cmp_version,
    gdprApplies: applies,
    eventStatus: status,
    cmpStatus: 'loaded',
    ...(listenerId !== undefined && { listenerId }),
  };
  if (!applies) return common;
  const choice = string ? decode(string) : undefined;
  const disclosed = idsOf(own.vendors);
  return {
    ...common,
    isServiceSpecific: true,
    useNonStandardTexts: false,
    publisherCC: own.publisher_country,
    purposeOneTreatment: own.purpose_one_treatment,
    outOfBand: { allowedVendors: {}, disclosedVendors: {} },
    purpose: {
      consents: flags(own.purposes, choice?.purposes ?? []),
      legitimateInterests: flags(own.leg_int_purposes, choice?.legInt ?? []),
    },
    vendor: {
      consents: flags(disclosed, choice?.vendors ?? []),
      legitimateInterests: flags(disclosed, choice?.legIntVendors ?? []),
      disclosedVendors: flags(disclosed, string ? disclosedIn(string) : []),
    },
    specialFeatureOptins: flags(own.special_features, choice?.special ?? []),
    publisher: {
      consents: {},
      legitimateInterests: {},
      customPurpose: { consents: {}, legitimateInterests: {} },
      restrictions: restrictions(),
    },
  };
}

const ping = (): object => ({
  gdprApplies: applies,
  cmpLoaded: true,
  cmpStatus: 'loaded',
  displayStatus: isVisible ? 'visible' : applies === false ? 'disabled' : 'hidden',
  apiVersion: API_VERSION,
  cmpVersion: own.cmp_version,
  cmpId: own.cmp_id,
  gvlVersion: own.vendor_list_version,
  tcfPolicyVersion: own.policy_version,
});

/** Each answers by the callback, now or with each change. */
const COMMANDS: Record<string, (tell: Listener, parameter: unknown) => void> = {
  // What all objects have is no command.
  __proto__: null as never,
  ping: (tell) => tell(ping(), true),
  // Deprecated since TCF 2.2, and still called.
  getTCData: (tell) => tell(data(), true),
  addEventListener: (tell) => {
    // Not counted: the frame of one vendor could guess the others', and take them away.
    const [id = 0] = crypto.getRandomValues(new Uint32Array(1));
    listeners.set(id, tell);
    tell(data(id), true);
  },
  removeEventListener: (tell, id) => tell(listeners.delete(id as number)),
};

const api: TcfApi = (command = '', version, callback, parameter) => {
  // Of another frame, too, whose functions are of another class.
  if (typeof callback !== 'function') return;
  const run = COMMANDS[command];
  if (!run || (version ?? 2) !== 2) callback(null, false);
  else if (applies === undefined && command !== 'ping') waiting.push([command, version, callback, parameter]);
  else safely(() => run(callback, parameter));
};

/** Takes over from the snippet's stub, or from any other, with the calls that wait in it. */
export function install(): void {
  const stub = host.__tcfapi;
  safely(() => {
    const calls = typeof stub === 'function' ? stub() : undefined;
    if (Array.isArray(calls)) waiting = [...(calls as Call[])];
  });
  host.__tcfapi = api;
  beFound();
}

/** Says whether the framework applies to the visitor, and answers what has waited for that. */
export function settle(doesApply: boolean): void {
  applies = doesApply;
  if (string || !applies) status = 'tcloaded';
  const calls = waiting;
  waiting = [];
  for (const call of calls) safely(() => api(...call));
}

/** The string in force. */
export const hold = (tc: string | undefined): void => {
  string = tc;
};

/** Tells all who listen. */
export function announce(next: Status): void {
  status = next;
  if (applies === undefined) return;
  // Who comes or goes while others are told, is not told of this.
  for (const [id, tell] of [...listeners]) if (listeners.has(id)) safely(() => tell(data(id), true));
}

/** The banner is visible. */
export function shown(): void {
  if (isVisible || !applies) return;
  isVisible = true;
  wasShown = true;
  announce('cmpuishown');
}

/** It is not any more; without a decision the one before holds. */
export function hidden(): void {
  isVisible = false;
  if (status === 'cmpuishown' && string) announce('useractioncomplete');
}
