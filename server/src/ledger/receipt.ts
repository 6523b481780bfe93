import type { Knex } from 'knex';
import { raw } from 'objection';
import type { components } from '../../../spec/generated/api';
import { BundleRow, type ConsentRow, EnvironmentRow, SettingsVersionRow, VendorListRow } from '../db/models';
import { wholeSettings } from '../db/settings-versions';
import { immutableUrl } from '../domain/banner/snippet';
import type { BannerProgram } from '../domain/banner/sources';
import { textsIn } from '../domain/banner/texts';
import { clock } from '../domain/clock';
import { isAsked, receiptContext } from '../domain/ledger/receipt-context';
import { beginning } from '../domain/text';
import type { BundleTexts, Settings, Vendor } from '../domain/types';
import { cosignedCheckpoint } from './pack/vouched';
import { proveAt } from './proofs';
import { proveConsent } from './record-evidence';
import { viewKeys } from './view';

type Receipt = components['schemas']['ConsentReceipt'];

/** What a receipt is made of besides the record. */
export interface ReceiptOf {
  db: Knex;
  site: { id: string; token: string };
  program: BannerProgram;
  publicUrl: string;
  /** Whether a later decision of the session withdrew something. */
  isWithdrawn: boolean;
}

/** The visitor's receipt of a decision. */
export async function receiptOf(about: ReceiptOf, row: ConsentRow): Promise<Receipt> {
  const { db, site } = about;
  const shown = await SettingsVersionRow.query(db).findById([site.id, row.banner_version]).throwIfNotFound();
  const settings = await wholeSettings(db, site.id, shown.settings);
  const bundle =
    row.bundle_hash === null
      ? undefined
      : await BundleRow.query(db)
          .findById([site.id, row.bundle_hash])
          // Of the texts one language: the others may be a megabyte.
          .select('hash', 'integrity', 'vendors', raw('texts -> ?::text', [row.language]).as('texts'));
  const kept = bundle?.texts as BundleTexts | null | undefined;
  // The banner's words: those of its bundle, otherwise those that the settings give.
  const texts = kept ?? textsIn(row.language, settings, about.program).texts;
  const vendors = bundle?.vendors ?? (await vendorsAt(db, site.id, row.recorded_at));
  return {
    ...{ '@context': receiptContext(row.rule), '@type': 'ConsentReceipt' },
    ...{ receipt_id: row.consent_id, issued_at: clock.date().toISOString() },
    ...{ consent_id: row.consent_id, session_id: row.session_id },
    decided_at: row.recorded_at.toISOString(),
    valid_until: row.expires_at.toISOString(),
    ...{ decision: row.decision, method: row.method, recorded_by: row.recorded_by },
    ...(row.linked_from === null ? {} : { linked_from: row.linked_from }),
    ...{ gpc: row.gpc, policy_version: row.policy_version },
    status: statusOf(row, about.isWithdrawn),
    controller: await controllerOf(about, settings, row.banner_version),
    ...(row.region === null ? {} : { region: row.region }),
    ...(row.rule === null ? {} : { rule: row.rule }),
    // By a rule under which nobody is asked, what is allowed is no consent.
    lawful_basis: isAsked(row.rule) ? 'consent' : null,
    purposes: purposesOf(row, settings, texts),
    recipients: [...vendors.map(recipientOf(row)), ...recipientsBeside(row, vendors)],
    notice: {
      language: row.language,
      ...{ title: texts.title, description: texts.description },
      privacy_policy_url: settings.privacy_policy_url ?? null,
      imprint_url: settings.imprint_url ?? null,
      page_url: row.page_url,
      bundle_url: bundle === undefined ? null : immutableUrl(about.publicUrl, site.token, bundle.hash),
    },
    withdrawal: beginning(`${texts.reopen}: ${texts.settings_description}`, 1000),
    retention_days: settings.retention_days.consents,
    evidence: await evidence(about, row),
  };
}

/**
 * Who it was then, and how to reach them, while it is them: anybody can name an earlier version in a decision of their own,
 * and it may name people whom the site has left out since.
 */
async function controllerOf(
  { db, site }: ReceiptOf,
  { controller: then }: Settings,
  version: number,
): Promise<Settings['controller']> {
  const now = await EnvironmentRow.query(db)
    .findById(site.id)
    .select(raw("settings->'controller'").as('controller'), 'settings_version')
    .throwIfNotFound()
    .castTo<{ controller: Settings['controller']; settings_version: number }>();
  // Two that have no name need not be the same.
  const isSame = then.name ? then.name === now.controller.name : version === now.settings_version;
  if (isSame) return now.controller;
  return { ...(then.name === undefined ? {} : { name: then.name }) };
}

async function evidence({ db, site }: ReceiptOf, row: ConsentRow): Promise<Receipt['evidence']> {
  const { hidden, state } = await proveConsent(db, site, row);
  const proof = state.status === 'sealed' ? state.proof : undefined;
  const base64 = (bytes: Buffer): string => bytes.toString('base64');
  const isUnproven = state.status === 'unproven';
  const isPending = proof === undefined || hidden.blinding === null;
  // What a witness has seen is worth more than the newest head, which it sees later.
  const seen = proof && (await cosignedCheckpoint(db, proof.head, proof.leaf));
  const hashes = proof && seen ? await proveAt(db, site.id, proof.leaf, seen.size) : proof?.proof;
  return {
    site: site.token,
    origin: proof?.head.origin ?? null,
    statement: hidden.statement,
    // Given at once: what the visitor holds shows later that nothing was changed before it was sealed.
    blinding:
      hidden.blinding === null ? null : base64(Buffer.from(hidden.blinding.replaceAll('-', ''), 'hex')),
    leaf: proof?.leaf ?? null,
    proof: hashes?.map(base64) ?? null,
    checkpoint: seen?.note ?? proof?.head.note ?? null,
    ...(seen === undefined ? {} : { witnesses: seen.witnesses }),
    keys: await viewKeys(db, site.id),
    pending: isPending && !isUnproven,
    ...(isUnproven ? { unproven: true } : {}),
  };
}

function statusOf({ categories, vendors }: ConsentRow, isWithdrawn: boolean): Receipt['status'] {
  if (isWithdrawn) return 'withdrawn';
  return [...Object.values(categories), ...Object.values(vendors ?? {})].includes(true) ? 'given' : 'refused';
}

/** Each choice of the record is there, also one that these settings do not name, and no other. */
function purposesOf({ categories }: ConsentRow, settings: Settings, texts: BundleTexts): Receipt['purposes'] {
  const isChosen = (key: string): boolean => Object.hasOwn(categories, key);
  const consentOf = (key: string) => (categories[key] ? ('given' as const) : ('refused' as const));
  const asked = settings.categories.filter(({ key, required }) => required || isChosen(key));
  const named = asked.map(({ key, name, description, required: isRequired }) => {
    const words = Object.hasOwn(texts.categories, key) ? texts.categories[key] : undefined;
    const required = isRequired && !isChosen(key);
    return {
      key,
      name: words?.name ?? name,
      description: words?.description ?? description,
      required,
      consent: required ? null : consentOf(key),
    };
  });
  const others = Object.keys(categories).filter((key) => !named.some((one) => one.key === key));
  return [
    ...named,
    ...others.map((key) => ({ key, name: key, description: '', required: false, consent: consentOf(key) })),
  ];
}

const recipientOf =
  ({ language, vendors }: ConsentRow) =>
  ({ id, name, categories, urls, country }: Vendor): Receipt['recipients'][number] => ({
    name,
    categories,
    privacy_policy_url: (urls.find(({ lang_id }) => lang_id === language) ?? urls[0])?.privacy ?? null,
    country: country ?? null,
    ...(vendors?.[id] === undefined ? {} : { id, consent: vendors[id] ? 'given' : 'refused' }),
  });

/** Vendors of the record that the list does not have, as of a decision that names no bundle. */
function recipientsBeside({ vendors }: ConsentRow, listed: readonly Vendor[]): Receipt['recipients'] {
  const known = new Set(listed.map(({ id }) => `${id}`));
  return Object.entries(vendors ?? {})
    .filter(([id]) => !known.has(id))
    .map(([id, isAllowed]) => ({
      ...{ id: Number(id), name: id, categories: [], privacy_policy_url: null, country: null },
      consent: isAllowed ? 'given' : 'refused',
    }));
}

/** The list in force at an instant; a site may have none. */
async function vendorsAt(db: Knex, environment_id: string, at: Date): Promise<Vendor[]> {
  const row = await VendorListRow.query(db)
    .where({ environment_id })
    .where('created_at', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .first();
  return row?.vendors ?? [];
}
