import type { RegionLaw } from '../types';

/** What differs from state to state; `universal`: whether a browser's signal such as GPC must be honoured. */
type StateLaw = [
  state: string,
  law: string,
  citation: string,
  source: string,
  inForce: string,
  universal: boolean,
];

/**
 * States with an act that gives a right to object to the sale of personal data, or to its use for advertising across
 * sites. Bounds by turnover or by number of consumers are the owner's to judge.
 */
const ACTS: readonly StateLaw[] = [
  [
    'CA',
    'California Consumer Privacy Act as amended by the CPRA',
    'Cal. Civ. Code § 1798.120, 1798.135; Cal. Code Regs. tit. 11 § 7025',
    'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=CIV&sectionNum=1798.135',
    '2020-01-01',
    true,
  ],
  [
    'CO',
    'Colorado Privacy Act',
    'Colo. Rev. Stat. § 6-1-1306(1)(a)',
    'https://leg.colorado.gov/bills/sb21-190',
    '2023-07-01',
    true,
  ],
  [
    'CT',
    'Connecticut Data Privacy Act',
    'Conn. Gen. Stat. § 42-518, 42-520',
    'https://www.cga.ct.gov/current/pub/chap_743jj.htm',
    '2023-07-01',
    true,
  ],
  [
    'DE',
    'Delaware Personal Data Privacy Act',
    'Del. Code tit. 6 § 12D-104, 12D-106',
    'https://delcode.delaware.gov/title6/c012d/',
    '2025-01-01',
    true,
  ],
  [
    'FL',
    'Florida Digital Bill of Rights',
    'Fla. Stat. § 501.705 (controllers above a billion dollars of revenue)',
    'https://www.flsenate.gov/Laws/Statutes/2024/501.705',
    '2024-07-01',
    false,
  ],
  [
    'IA',
    'Iowa Consumer Data Protection Act',
    'Iowa Code § 715D.3, 715D.4',
    'https://www.legis.iowa.gov/docs/code/715D.pdf',
    '2025-01-01',
    false,
  ],
  [
    'IN',
    'Indiana Consumer Data Protection Act',
    'Ind. Code § 24-15-3-1',
    'https://iga.in.gov/legislative/2023/bills/senate/5',
    '2026-01-01',
    false,
  ],
  [
    'KY',
    'Kentucky Consumer Data Protection Act',
    'Ky. Rev. Stat. § 367.3615',
    'https://apps.legislature.ky.gov/record/24rs/hb15.html',
    '2026-01-01',
    false,
  ],
  [
    'MD',
    'Maryland Online Data Privacy Act',
    'Md. Code, Com. Law § 14-4705',
    'https://mgaleg.maryland.gov/mgawebsite/Legislation/Details/sb0541?ys=2024RS',
    '2025-10-01',
    true,
  ],
  [
    'MN',
    'Minnesota Consumer Data Privacy Act',
    'Minn. Stat. § 325M.14',
    'https://www.revisor.mn.gov/statutes/cite/325M',
    '2025-07-31',
    true,
  ],
  [
    'MT',
    'Montana Consumer Data Privacy Act',
    'Mont. Code § 30-14-2808',
    'https://archive.legmt.gov/bills/mca/title_0300/chapter_0140/part_0280/sections_index.html',
    '2024-10-01',
    true,
  ],
  [
    'NE',
    'Nebraska Data Privacy Act',
    'Neb. Rev. Stat. § 87-1107, 87-1111',
    'https://nebraskalegislature.gov/laws/statutes.php?statute=87-1107',
    '2025-01-01',
    true,
  ],
  [
    'NH',
    'New Hampshire act relative to the expectation of privacy',
    'N.H. Rev. Stat. § 507-H:4',
    'https://gc.nh.gov/rsa/html/NHTOC/NHTOC-LII-507-H.htm',
    '2025-01-01',
    true,
  ],
  [
    'NJ',
    'New Jersey Data Privacy Act',
    'N.J. Stat. § 56:8-166.4 and following',
    'https://pub.njleg.gov/Bills/2022/PL23/266_.PDF',
    '2025-01-15',
    true,
  ],
  [
    'NV',
    'Nevada privacy of information collected on the Internet',
    'Nev. Rev. Stat. § 603A.345 (sale of covered information)',
    'https://www.leg.state.nv.us/nrs/nrs-603a.html',
    '2019-10-01',
    false,
  ],
  [
    'OR',
    'Oregon Consumer Privacy Act',
    'Or. Rev. Stat. § 646A.574, 646A.578',
    'https://olis.oregonlegislature.gov/liz/2023R1/Measures/Overview/SB619',
    '2024-07-01',
    true,
  ],
  [
    'RI',
    'Rhode Island Data Transparency and Privacy Protection Act',
    'R.I. Gen. Laws § 6-48.1-5',
    'https://webserver.rilegislature.gov/Statutes/TITLE6/6-48.1/INDEX.htm',
    '2026-01-01',
    false,
  ],
  [
    'TN',
    'Tennessee Information Protection Act',
    'Tenn. Code § 47-18-3304 and following',
    'https://publications.tnsosfiles.com/acts/113/pub/pc0408.pdf',
    '2025-07-01',
    false,
  ],
  [
    'TX',
    'Texas Data Privacy and Security Act',
    'Tex. Bus. & Com. Code § 541.051, 541.055(e)',
    'https://statutes.capitol.texas.gov/Docs/BC/htm/BC.541.htm',
    '2024-07-01',
    true,
  ],
  [
    'UT',
    'Utah Consumer Privacy Act',
    'Utah Code § 13-61-201',
    'https://le.utah.gov/xcode/Title13/Chapter61/13-61.html',
    '2023-12-31',
    false,
  ],
  [
    'VA',
    'Virginia Consumer Data Protection Act',
    'Va. Code § 59.1-577',
    'https://law.lis.virginia.gov/vacode/title59.1/chapter53/',
    '2023-01-01',
    false,
  ],
];

/** The others, and the District of Columbia. */
const WITHOUT_ACT = [
  ...['AK', 'AL', 'AR', 'AZ', 'DC', 'GA', 'HI', 'ID', 'IL', 'KS', 'LA', 'MA', 'ME', 'MI', 'MO', 'MS'],
  ...['NC', 'ND', 'NM', 'NY', 'OH', 'OK', 'PA', 'SC', 'SD', 'VT', 'WA', 'WI', 'WV', 'WY'],
];

/** The United States, state by state. */
export const STATE_LAWS: readonly RegionLaw[] = [
  ...ACTS.map(
    ([state, law, citation, source, in_force, universal_opt_out]): RegionLaw => ({
      regions: [`US-${state}`],
      rule: 'opt_out',
      law,
      citation,
      source,
      universal_opt_out,
      in_force,
    }),
  ),
  {
    regions: WITHOUT_ACT.map((state) => `US-${state}`),
    rule: 'notice',
    law: 'No general privacy act in force: what is published must be true',
    citation: 'Federal Trade Commission Act § 5, 15 U.S.C. § 45',
    source: 'https://www.ftc.gov/legal-library/browse/statutes/federal-trade-commission-act',
    universal_opt_out: false,
    in_force: '1914-09-26',
  },
  {
    regions: ['US'],
    rule: 'opt_out',
    law: 'United States, state unknown: as in California',
    citation: 'Cal. Civ. Code § 1798.120, 1798.135; Cal. Code Regs. tit. 11 § 7025',
    source:
      'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=CIV&sectionNum=1798.135',
    universal_opt_out: true,
    in_force: '2020-01-01',
  },
];
