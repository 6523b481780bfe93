import { daysKept } from './retention';
import type { Ropa, RopaEntry, Settings, Vendor } from './types';

/** What the records of processing are made of. */
export interface RopaSources {
  site: { token: string; name: string; url: string; settings: Settings };
  vendors: readonly Vendor[];
  /** The forms that consents were given in: those that the owner vouches for, and whether there are others. */
  forms: { named: readonly string[]; hasOthers: boolean };
  hasRequests: boolean;
  hasBreaches: boolean;
  /** The public URL of this server. */
  baseUrl: string;
  now: Date;
}

const transferOf = ({ name, country, transfer_safeguard }: Vendor): string =>
  country
    ? `${name} (${country}): ${transfer_safeguard || 'no safeguard recorded'}`
    : `${name}: ${NOT_RECORDED}`;

/** What the records say apart from their entries. */
type RopaHead = Omit<Ropa, 'entries'>;
/**
 * The records; entries are made one by one, because each category names all its vendors, and a list of one
 * mebibyte can grow to forty.
 */
export type RopaParts = RopaHead & { entries: Iterable<RopaEntry> };

/** Never "none", which nobody has established. */
const NOT_RECORDED = 'not recorded';

/**
 * Builds the records of processing: the owner's own entries first, then those that follow from what the
 * service does.
 */
export function buildRopa(sources: RopaSources): RopaParts {
  const { site, now } = sources;
  return {
    environment: site.token,
    site: site.name,
    url: site.url,
    generated_at: now.toISOString(),
    controller: site.settings.controller,
    entries: entriesOf(sources),
  };
}

function* entriesOf(sources: RopaSources): Generator<RopaEntry> {
  yield* ownEntries(sources);
  yield* categoryEntries(sources);
  yield* serviceEntries(sources);
}

function* ownEntries({ site: { settings } }: RopaSources): Generator<RopaEntry> {
  for (const activity of settings.processing_activities)
    yield {
      source: 'owner',
      name: activity.name,
      purposes: activity.purposes,
      lawful_basis: activity.lawful_basis,
      subject_categories: activity.subject_categories,
      data_categories: activity.data_categories,
      recipients: activity.recipients,
      transfers: activity.transfers ?? NOT_RECORDED,
      retention: activity.retention ?? NOT_RECORDED,
      security_measures: settings.security_measures,
      consent_records: null,
      breach_register: null,
      last_review: activity.last_review ?? null,
    };
}

/** One entry for each category, and one for vendors that have none: the vendors are the recipients. */
function* categoryEntries({ site, vendors, baseUrl }: RopaSources): Generator<RopaEntry> {
  const { settings, token } = site;
  const byCategory = vendorsByCategory(vendors);
  const of = (own: readonly Vendor[], name: string, purpose: string, required: boolean): RopaEntry => ({
    source: 'derived',
    name: `Cookies and similar technologies: ${name}`,
    purposes: [purpose],
    lawful_basis: required ? 'legitimate_interests' : 'consent',
    subject_categories: ['visitors of the site'],
    data_categories: ['online identifiers', 'usage data'],
    recipients: own.map((vendor) => vendor.name),
    transfers: own.some(({ country }) => country) ? own.map(transferOf).join('; ') : NOT_RECORDED,
    retention: retentionOf(own, settings),
    security_measures: settings.security_measures,
    consent_records: required ? null : `${consoleOf(baseUrl, token)}/consents`,
    breach_register: null,
    last_review: null,
  });
  for (const { key, name, description, required } of settings.categories)
    yield of(byCategory.get(key) ?? [], name, description || name, required);
  // A category can be removed while vendors still name it.
  const present = new Set(settings.categories.map(({ key }) => key));
  const without = vendors.filter(({ categories }) => !categories.some((key) => present.has(key)));
  if (without.length > 0) yield of(without, 'vendors without a category', NOT_RECORDED, false);
}

/** Indexed once, not once per category. */
function vendorsByCategory(vendors: readonly Vendor[]): Map<string, Vendor[]> {
  const found = new Map<string, Vendor[]>();
  for (const vendor of vendors) {
    for (const key of new Set(vendor.categories)) {
      const own = found.get(key);
      if (own === undefined) found.set(key, [vendor]);
      else own.push(vendor);
    }
  }
  return found;
}

/** The site's pages in the console: they open in a browser, where the API's addresses ask for a token. */
const consoleOf = (baseUrl: string, token: string): string => `${baseUrl}/console/sites/${token}`;

function retentionOf(vendors: readonly Vendor[], { consent_lifetime_days }: Settings): string {
  if (vendors.every(({ data_retention_days: days }) => days == null))
    return `choice asked again after ${consent_lifetime_days} days`;
  return vendors
    .map(({ name, data_retention_days: days }) => `${name}: ${days == null ? NOT_RECORDED : `${days} days`}`)
    .join('; ');
}

/** What this service itself processes for the site. */
function serviceEntries({ site, forms, hasRequests, hasBreaches, baseUrl }: RopaSources): RopaEntry[] {
  const { settings, token } = site;
  const { consents } = settings.retention_days;
  const base = consoleOf(baseUrl, token);
  const entry = (
    fields: Partial<RopaEntry> & Pick<RopaEntry, 'name' | 'purposes' | 'data_categories' | 'retention'>,
  ): RopaEntry => ({
    source: 'derived',
    lawful_basis: 'legal_obligation',
    subject_categories: ['visitors of the site'],
    recipients: [],
    transfers: NOT_RECORDED,
    security_measures: settings.security_measures,
    consent_records: null,
    breach_register: null,
    last_review: null,
    ...fields,
  });
  const list = [
    entry({
      name: 'Proof of consent',
      purposes: ['Demonstrating that consent was given (GDPR Art. 7(1))'],
      data_categories: [
        ...['session identifier', 'masked IP address', 'user agent', 'choice'],
        ...['page address', 'language'],
      ],
      retention: `${consents} days`,
      consent_records: `${base}/consents`,
    }),
  ];
  const ofForm = (name: string, purpose: string, query: string): RopaEntry =>
    entry({
      name,
      purposes: [purpose],
      data_categories: ['e-mail address or customer number', 'statements agreed to', 'masked IP address'],
      retention: `${consents} days`,
      consent_records: `${base}/consents/forms${query}`,
    });
  for (const form of forms.named)
    list.push(
      ofForm(
        `Consents given in the form ${form}`,
        `Demonstrating what was agreed to in the form ${form}`,
        `?form_id=${encodeURIComponent(form)}`,
      ),
    );
  if (forms.hasOthers)
    list.push(
      ofForm(
        `Consents given in ${forms.named.length > 0 ? 'other ' : ''}forms`,
        'Demonstrating what was agreed to in forms; the records name them as the pages did',
        '',
      ),
    );
  if (hasRequests) {
    list.push(
      entry({
        name: 'Data-subject requests',
        purposes: ['Answering data-subject requests (GDPR Art. 12–22)'],
        subject_categories: ['data subjects who made a request'],
        data_categories: [
          ...['name', 'e-mail address', 'postal address or telephone number', 'content of the request'],
        ],
        retention: `${daysKept(settings, 'requests')} days from the answer`,
      }),
    );
  }
  if (hasBreaches) {
    list.push(
      entry({
        name: 'Register of personal-data breaches',
        purposes: [
          'Documenting breaches, those that need no report with the reason for it (GDPR Art. 33(5))',
        ],
        subject_categories: ['operators of the controller'],
        data_categories: ['facts, effects and remedial action of breaches'],
        retention: 'kept for good (GDPR Art. 33(5))',
        breach_register: `${base}/breaches`,
      }),
    );
  }
  return list;
}

interface RopaColumn {
  title: string;
  of(ropa: RopaHead, entry: RopaEntry): string;
}

/** The columns of the files, and the article that asks for each. */
export const ROPA_COLUMNS: readonly RopaColumn[] = [
  { title: 'Activity', of: (_, entry) => entry.name },
  { title: 'Source', of: (_, entry) => entry.source },
  {
    title: 'Controller (a)',
    of: ({ controller }) =>
      [controller.name, controller.address, controller.email, controller.phone].filter(Boolean).join(', '),
  },
  { title: 'Representative (a)', of: ({ controller }) => controller.representative ?? '' },
  {
    title: 'Data-protection officer (a)',
    of: ({ controller: { dpo } }) => (dpo ? `${dpo.name}, ${dpo.email}` : ''),
  },
  { title: 'Purposes (b)', of: (_, entry) => entry.purposes.join('; ') },
  { title: 'Lawful basis', of: (_, entry) => entry.lawful_basis },
  { title: 'Categories of data subjects (c)', of: (_, entry) => entry.subject_categories.join('; ') },
  { title: 'Categories of data (c)', of: (_, entry) => entry.data_categories.join('; ') },
  { title: 'Recipients (d)', of: (_, entry) => entry.recipients.join('; ') },
  { title: 'Transfers and safeguards (e)', of: (_, entry) => entry.transfers },
  { title: 'Erasure (f)', of: (_, entry) => entry.retention },
  { title: 'Security measures (g)', of: (_, entry) => entry.security_measures.join('; ') },
  { title: 'Consent records', of: (_, entry) => entry.consent_records ?? '' },
  { title: 'Breach register', of: (_, entry) => entry.breach_register ?? '' },
  { title: 'Last review', of: (_, entry) => entry.last_review ?? '' },
];

/** All rows of a file, titles first; made one by one, because they can take tens of megabytes. */
export function* ropaRows({ entries, ...ropa }: RopaParts): Generator<string[]> {
  yield ROPA_COLUMNS.map(({ title }) => title);
  for (const entry of entries) yield ROPA_COLUMNS.map((column) => cellOf(column, ropa, entry));
}

/** Where the article requires an entry and nobody recorded one, the cell says so instead of being empty. */
export const cellOf = ({ title, of }: RopaColumn, ropa: RopaHead, entry: RopaEntry): string =>
  of(ropa, entry) || (/\([a-g]\)$/.test(title) ? NOT_RECORDED : '');

/** The records as JSON, entry by entry. */
export function* ropaJson({ entries, ...head }: RopaParts): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '';
  for (const entry of entries) {
    yield separator + JSON.stringify(entry);
    separator = ',';
  }
  yield ']}';
}
