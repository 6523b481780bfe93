/**
 * What the fields of a receipt mean: the W3C Data Privacy Vocabulary, as its guide to ISO/IEC TS 27560 uses it. Held in
 * each receipt, so that whoever reads it loads nothing.
 */
export const RECEIPT_CONTEXT = {
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
