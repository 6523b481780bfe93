import { type Check, fail, pass, unknown } from './evidence';
import { ofBanner } from './seen-banner';

/** The banner links the privacy policy (GDPR Art. 13). */
export const privacyPolicy: Check = {
  id: 'privacy_policy',
  title: 'A privacy policy is linked',
  weight: 6,
  legalReference: 'GDPR Art. 13',
  find: ofBanner(({ config: { privacy_policy_url: url } }) =>
    url ? pass(url) : fail('no address', 'Give the address of the privacy policy.'),
  ),
};

/** The controller is named (GDPR Art. 13(1)(a)). Never unknown: the controller is a setting. */
export const controllerNamed: Check = {
  id: 'controller_named',
  title: 'The controller and a contact are named',
  weight: 5,
  legalReference: 'GDPR Art. 13(1)(a), Art. 30(1)(a)',
  find: ({ settings: { controller } }) => {
    const missing = [
      !controller.name && 'name',
      !controller.address && 'address',
      !controller.email && 'e-mail address',
    ].filter(Boolean);
    return missing.length === 0
      ? pass('name, address and e-mail address are set')
      : fail(`missing: ${missing.join(', ')}`, 'Complete the details of the controller.');
  },
};

/**
 * The data-protection officer can be reached (GDPR Art. 37(7), 13(1)(b)). Never a fail: not everybody needs
 * one (Art. 37(1)), and whether this controller does is not known here.
 */
export const dpoNamed: Check = {
  id: 'dpo_named',
  title: 'The data-protection officer is named',
  weight: 3,
  legalReference: 'GDPR Art. 13(1)(b), Art. 37(7)',
  find: ({ settings: { controller } }) =>
    controller.dpo
      ? pass('set')
      : unknown('not set', 'Name the data protection officer, if GDPR Art. 37(1) requires one.'),
};

/** The first names of a list, for people. */
const namesOf = (vendors: readonly { name: string }[]): string =>
  vendors
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');

/**
 * Vendors have purposes and a retention in the banner (CJEU C-673/17: visitors must be told duration and third
 * parties). Unknown while none is listed.
 */
export const vendorsDescribed: Check = {
  id: 'vendors_described',
  title: 'Each vendor has purposes and a retention',
  weight: 5,
  legalReference: 'GDPR Art. 13(1)(e), 13(2)(a); CJEU C-673/17 (Planet49), para. 81',
  find: ofBanner(({ vendors, config: { categories: present } }) => {
    if (vendors.length === 0)
      return unknown('no vendor is listed', 'List the vendors whose code the site loads, if there are any.');
    const keys = new Set(present.map(({ key }) => key));
    const silent = vendors.filter(
      ({ purposes, leg_int_purposes, categories, data_retention_days }) =>
        // A category that was removed since says nothing.
        purposes.length + leg_int_purposes.length + categories.filter((key) => keys.has(key)).length === 0 ||
        data_retention_days == null,
    );
    if (silent.length === 0) return pass(`${vendors.length} vendors`);
    return fail(`incomplete: ${namesOf(silent)}`, 'Give the purposes and the retention of each vendor.');
  }),
};

/**
 * Transfers to third countries have a safeguard (GDPR Art. 44–46; an adequacy decision is named as one).
 * Unknown while no vendor is listed, or the country of one is missing.
 */
export const transfersSafeguarded: Check = {
  id: 'transfers_safeguarded',
  title: 'Transfers to third countries have a safeguard',
  weight: 5,
  legalReference: 'GDPR Art. 13(1)(f), Art. 44–46',
  find: ({ vendors }) => {
    if (vendors.length === 0)
      return unknown('no vendor is listed', 'List the vendors whose code the site loads, if there are any.');
    const abroad = vendors.filter(({ country }) => country != null && !EEA.has(country));
    const open = abroad.filter(({ transfer_safeguard: safeguard }) => !safeguard);
    if (open.length > 0)
      return fail(`without safeguard: ${namesOf(open)}`, 'Name the safeguard of each transfer.');
    const silent = vendors.filter(
      ({ country, transfer_safeguard: safeguard }) => country == null && !safeguard,
    );
    if (silent.length > 0)
      return unknown(`country not recorded: ${namesOf(silent)}`, 'Give each vendor its country.');
    return pass(`${abroad.length} vendors outside the EEA, each with a safeguard`);
  },
};

/** The EU and the EEA states, ISO 3166-1 alpha-2. */
const EEA = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(' '),
);
