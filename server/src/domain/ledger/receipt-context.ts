/**
 * What the fields of a receipt mean: the W3C Data Privacy Vocabulary, as its guide to ISO/IEC TS 27560 uses it. Held in
 * each receipt, so that whoever reads it loads nothing.
 */
const RECEIPT_CONTEXT = {
  '@version': 1.1,
  dpv: 'https://w3id.org/dpv#',
  dct: 'http://purl.org/dc/terms/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  'eu-gdpr': 'https://w3id.org/dpv/legal/eu/gdpr#',
  ConsentReceipt: 'dpv:ConsentReceipt',
  receipt_id: 'dct:identifier',
  issued_at: { '@id': 'dct:issued', '@type': 'xsd:dateTime' },
  consent_id: 'dpv:hasIdentifier',
  session_id: 'dpv:hasDataSubject',
  decided_at: { '@id': 'dpv:isIndicatedAtTime', '@type': 'xsd:dateTime' },
  valid_until: { '@id': 'dct:valid', '@type': 'xsd:dateTime' },
  method: 'dpv:isIndicatedBy',
  linked_from: 'dct:source',
  region: 'dpv:hasJurisdiction',
  rule: 'dpv:hasRule',
  status: {
    '@id': 'dpv:hasConsentStatus',
    '@type': '@vocab',
    '@context': {
      given: 'dpv:ConsentGiven',
      refused: 'dpv:ConsentRefused',
      withdrawn: 'dpv:ConsentWithdrawn',
    },
  },
  controller: {
    '@id': 'dpv:hasDataController',
    '@context': {
      name: 'dpv:hasName',
      address: 'dpv:hasAddress',
      email: 'dpv:hasContact',
      phone: 'dpv:hasContact',
      representative: 'dpv:hasRepresentative',
      dpo: 'dpv:hasDataProtectionOfficer',
      authority: 'dpv:hasAuthority',
    },
  },
  lawful_basis: {
    '@id': 'dpv:hasLegalBasis',
    '@type': '@vocab',
    '@context': { consent: 'eu-gdpr:A6-1-a' },
  },
  purposes: {
    '@id': 'dpv:hasPurpose',
    '@context': {
      key: 'dct:identifier',
      name: 'dct:title',
      description: 'dct:description',
      consent: {
        '@id': 'dpv:hasConsentStatus',
        '@type': '@vocab',
        '@context': { given: 'dpv:ConsentGiven', refused: 'dpv:ConsentRefused' },
      },
    },
  },
  recipients: {
    '@id': 'dpv:hasRecipient',
    '@context': {
      id: 'dct:identifier',
      name: 'dpv:hasName',
      country: 'dpv:hasCountry',
      privacy_policy_url: { '@id': 'dpv:hasNotice', '@type': '@id' },
      consent: {
        '@id': 'dpv:hasConsentStatus',
        '@type': '@vocab',
        '@context': { given: 'dpv:ConsentGiven', refused: 'dpv:ConsentRefused' },
      },
    },
  },
  notice: {
    '@id': 'dpv:hasNotice',
    '@context': {
      language: 'dct:language',
      title: 'dct:title',
      description: 'dct:description',
      privacy_policy_url: { '@id': 'dct:references', '@type': '@id' },
      page_url: { '@id': 'dct:source', '@type': '@id' },
    },
  },
  withdrawal: 'dpv:hasWithdrawalMethod',
} as const;

const withoutConsent = <Term extends { '@context': object }>(term: Term) => ({
  ...term,
  '@context': { ...term['@context'], consent: null },
});

/**
 * The same where nobody was asked (`opt_out`, `notice`): what was left on is no consent, so no term says that it is. The
 * vocabulary has none for it; a field without a term means nothing to programs that read JSON-LD.
 */
const CONTEXT_WITHOUT_CONSENT = {
  ...RECEIPT_CONTEXT,
  ConsentReceipt: 'dpv:DataProcessingRecord',
  ...{ status: null, lawful_basis: null, withdrawal: null },
  purposes: withoutConsent(RECEIPT_CONTEXT.purposes),
  recipients: withoutConsent(RECEIPT_CONTEXT.recipients),
};

/** Whether visitors were asked: only then what they allowed is consent. */
export const isAsked = (rule: string | null): boolean => rule === null || rule === 'opt_in';

export const receiptContext = (rule: string | null): Record<string, unknown> =>
  isAsked(rule) ? RECEIPT_CONTEXT : CONTEXT_WITHOUT_CONSENT;
