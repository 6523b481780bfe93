/**
 * The page of the navigation that an address below a site belongs to: its path and name. The site's overview
 * if there is none.
 */
export function sectionOf(pathname: string): readonly [string, string] {
  const [, site = '', area = ''] = /^\/sites\/([^/]+)\/?([^/]*)/.exec(pathname) ?? [];
  const [path, name] = NAVIGATION.flatMap(([, entries]) => entries).find(([one]) => one === area) ?? [
    '',
    'Overview',
  ];
  return [`/sites/${site}${path && `/${path}`}`, name];
}

/** The pages of a site in the order of the navigation: `[path below the site, name]`, in groups. */
export const NAVIGATION: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['', [['', 'Overview']]],
  [
    'Records',
    [
      ['consents', 'Consents'],
      ['dsar', 'Requests'],
      ['breaches', 'Breaches'],
      ['evidence', 'Evidence'],
      ['webhooks', 'Webhooks'],
      ['mail', 'Mail'],
    ],
  ],
  [
    'Reports',
    [
      ['analytics', 'Analytics'],
      ['score', 'Compliance score'],
      ['ropa', 'Processing records'],
    ],
  ],
  [
    'Site',
    [
      ['banner', 'Banner'],
      ['vendors', 'Vendors'],
      ['scans', 'Cookie scans'],
      ['diagnostics', 'Diagnostics'],
      ['settings', 'Settings'],
      ['members', 'Members'],
      ['sign-on', 'Single sign-on'],
      ['keys', 'API keys'],
      ['audit', 'Audit trail'],
    ],
  ],
];
