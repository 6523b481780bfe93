import type { BundleGpp, BundleWarning } from '../types';

/** What an owner should know of GPP's own settings. */
export function gppWarnings(gpp: BundleGpp | undefined): BundleWarning[] {
  if (gpp === undefined) return [];
  return [
    ...(gpp.sections === 'us_national' && gpp.mspa === undefined
      ? [{ path: 'settings.gpp.sections', message: NATIONAL, code: 'gpp_sections' }]
      : []),
    ...(gpp.notices !== true && (gpp.sale ?? gpp.sharing ?? gpp.targeted_advertising) !== null
      ? [{ path: 'settings.gpp.notices', message: NO_NOTICES, code: 'gpp_notices' }]
      : []),
  ];
}

const NATIONAL =
  'The national section is for signatories of the IAB’s Multi-State Privacy Agreement, and vendors may disregard it from others: take the sections of the states, or name the mode in which the agreement covers your site.';

const NO_NOTICES =
  'Nothing states that visitors are told, in a notice at collection and in the footer, what they can opt out of, so that the GPP string says opted out for everybody: give the notices, then say so (notices).';
