import type { RegionLaw } from '../types';
import { STATE_LAWS } from './laws-us';

/** The date of this list; bundles hold it, so that it is known by which one their rules were made. */
export const LAWS_VERSION = '2026-11-26';

const GDPR = 'https://eur-lex.europa.eu/eli/reg/2016/679/oj';
const EPRIVACY = 'https://eur-lex.europa.eu/eli/dir/2002/58/oj';

/** The Union's members. */
const EU = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
];

/**
 * Which law asks what of those who store and read what is not necessary, by the region of the visitor: ISO 3166-1
 * alpha-2, or ISO 3166-2 where states differ. A state's row comes before that of its country, which holds when the
 * state is unknown and so asks what the strictest state does. A region that has no row is asked (`opt_in`): a row makes
 * it laxer, so there is one only where the law is known. This is no legal advice, and an owner can be stricter.
 */
export const LAWS: readonly RegionLaw[] = [
  {
    regions: EU,
    rule: 'opt_in',
    law: 'ePrivacy Directive 2002/58/EC as transposed, and GDPR',
    citation: 'Directive 2002/58/EC Art. 5(3); Regulation (EU) 2016/679 Art. 4(11), 6(1)(a), 7',
    source: EPRIVACY,
    universal_opt_out: false,
    in_force: '2018-05-25',
  },
  {
    regions: ['IS', 'LI', 'NO'],
    rule: 'opt_in',
    law: 'ePrivacy Directive and GDPR in the European Economic Area',
    citation: 'Decision of the EEA Joint Committee No 154/2018; Regulation (EU) 2016/679 Art. 4(11), 7',
    source: GDPR,
    universal_opt_out: false,
    in_force: '2018-07-20',
  },
  {
    regions: ['GB'],
    rule: 'opt_in',
    law: 'Privacy and Electronic Communications (EC Directive) Regulations 2003',
    citation: 'S.I. 2003/2426 reg. 6, with the exceptions of its Schedule A1; UK GDPR Art. 4(11), 7',
    source: 'https://www.legislation.gov.uk/uksi/2003/2426/regulation/6',
    universal_opt_out: false,
    in_force: '2003-12-11',
  },
  {
    regions: ['CH'],
    rule: 'opt_in',
    law: 'Telecommunications Act and Federal Act on Data Protection',
    citation:
      'SR 784.10 Art. 45c lit. b asks for information and a way to refuse; SR 235.1 Art. 6(6)–(7) for consent to profiling with high risk: consent satisfies both',
    source: 'https://www.fedlex.admin.ch/eli/cc/2022/491/en',
    universal_opt_out: false,
    in_force: '2023-09-01',
  },
  {
    regions: ['BR'],
    rule: 'opt_in',
    law: 'Lei Geral de Proteção de Dados Pessoais (LGPD)',
    citation: 'Lei nº 13.709/2018 Art. 7 I, 8',
    source: 'https://www.planalto.gov.br/ccivil_03/_ato2015-2018/2018/lei/l13709.htm',
    universal_opt_out: false,
    in_force: '2020-09-18',
  },
  {
    regions: ['CA-QC'],
    rule: 'opt_in',
    law: 'Act respecting the protection of personal information in the private sector (Law 25)',
    citation: 'CQLR c. P-39.1 s. 8.1 (identifying, locating and profiling functions are off at first), s. 14',
    source: 'https://www.legisquebec.gouv.qc.ca/en/document/cs/p-39.1',
    universal_opt_out: false,
    in_force: '2023-09-22',
  },
  {
    // Alberta and British Columbia have acts of their own, and no row.
    regions: ['CA-MB', 'CA-NB', 'CA-NL', 'CA-NS', 'CA-NT', 'CA-NU', 'CA-ON', 'CA-PE', 'CA-SK', 'CA-YT'],
    rule: 'opt_out',
    law: 'Personal Information Protection and Electronic Documents Act (PIPEDA)',
    citation:
      'S.C. 2000, c. 5, Schedule 1, 4.3; Privacy Commissioner of Canada, Policy position on online behavioural advertising: opt-out consent, not for sensitive information',
    source: 'https://laws-lois.justice.gc.ca/eng/acts/P-8.6/',
    universal_opt_out: false,
    in_force: '2004-01-01',
  },
  {
    regions: ['CA'],
    rule: 'opt_in',
    law: 'Canada, province unknown: as in Québec',
    citation: 'CQLR c. P-39.1 s. 8.1, 14',
    source: 'https://www.legisquebec.gouv.qc.ca/en/document/cs/p-39.1',
    universal_opt_out: false,
    in_force: '2023-09-22',
  },
  ...STATE_LAWS,
  {
    regions: ['JP'],
    rule: 'notice',
    law: 'Telecommunications Business Act: transmission of information to outside',
    citation: 'Act No. 86 of 1984 Art. 27-12 (notify or publish what is sent, to whom and for what)',
    source: 'https://laws.e-gov.go.jp/law/359AC0000000086',
    universal_opt_out: false,
    in_force: '2023-06-16',
  },
  {
    regions: ['AU'],
    rule: 'notice',
    law: 'Privacy Act 1988',
    citation: 'Privacy Act 1988 (Cth), Schedule 1, Australian Privacy Principle 5',
    source: 'https://www.legislation.gov.au/C2004A03712/latest/text',
    universal_opt_out: false,
    in_force: '2014-03-12',
  },
  {
    regions: ['NZ'],
    rule: 'notice',
    law: 'Privacy Act 2020',
    citation: 'Privacy Act 2020 s. 22, information privacy principle 3',
    source: 'https://www.legislation.govt.nz/act/public/2020/0031/latest/whole.html',
    universal_opt_out: false,
    in_force: '2020-12-01',
  },
];
