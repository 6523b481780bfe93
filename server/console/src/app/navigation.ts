/** The pages of a site in the order of the navigation: `[path below the site, name]`, in groups. */
export const NAVIGATION: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['', [['', 'Overview']]],
  [
    'Records',
    [
      ['consents', 'Consents'],
      ['dsar', 'Requests'],
      ['breaches', 'Breaches'],
      ['webhooks', 'Webhooks'],
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
      ['settings', 'Settings'],
      ['members', 'Members'],
    ],
  ],
];
