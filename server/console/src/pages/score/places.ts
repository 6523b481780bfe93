import type { Schemas } from '../../app/data';

/** A path below the site, and the text of the link that leads there. */
type Place = readonly [string, string];

/** Where to fix what a check asks for, by the check's id. */
const PLACES: Record<string, Place> = {
  reject_on_first_layer: ['banner', 'Change the banner’s buttons'],
  equal_prominence: ['banner', 'Change the banner’s buttons'],
  readable_buttons: ['banner', 'Change the banner’s colours'],
  granular_choice: ['banner', 'Change the banner’s buttons'],
  nothing_pre_ticked: ['settings/categories', 'Change the categories'],
  described_categories: ['settings/categories', 'Describe the categories'],
  texts_in_all_languages: ['banner', 'Write the banner’s texts'],
  banner_alive: ['install', 'Get the snippet'],
  privacy_policy: ['settings/policy', 'Set the address'],
  controller_named: ['settings/controller', 'Name the controller'],
  dpo_named: ['settings/controller', 'Name the officer'],
  vendors_described: ['vendors', 'Edit the vendors'],
  transfers_safeguarded: ['vendors', 'Edit the vendors'],
  nothing_before_consent: ['scans', 'See the cookie scans'],
  consent_lifetime: ['settings/policy', 'Change how long a choice lasts'],
  provable_consents: ['consents', 'See the consents'],
  records_sealed: ['evidence', 'See the evidence log'],
  log_vouched: ['settings/evidence', 'Publish the evidence log'],
  reopenable: ['banner', 'Change the banner'],
  requests_in_time: ['dsar', 'See the requests'],
  breaches_reported: ['breaches', 'See the breaches'],
  retention_set: ['settings/retention', 'Change the retention'],
};

/** By how a remedy begins that is the same for many checks. */
const BY_REMEDY: readonly (readonly [string, Place])[] = [
  ['Publish the banner', ['banner', 'Publish the banner']],
  ['Set the site to active', ['settings', 'Open the settings']],
];

/** The page for a check; rules that are newer than this page lead to the settings. */
export const placeOf = ({ id, remedy }: Pick<Schemas['ComplianceCheck'], 'id' | 'remedy'>): Place =>
  BY_REMEDY.find(([start]) => remedy.startsWith(start))?.[1] ??
  PLACES[id] ?? ['settings', 'Open the settings'];
