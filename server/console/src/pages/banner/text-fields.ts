import type { Schemas } from '../../app/data';

export type TextName = Exclude<keyof Schemas['BannerTexts'], 'categories'>;
/** Name in the contract, label, and maximum length in characters. */
export type TextFieldOf<Name extends string> = readonly [Name, string, number];

/** The banner's texts in the order in which visitors see them. */
export const GROUPS: readonly (readonly [string, readonly TextFieldOf<TextName>[]])[] = [
  [
    'First layer',
    [
      ['title', 'Heading', 200],
      ['description', 'Text', 4000],
      ['accept_all', 'Button: accept all', 80],
      ['reject_all', 'Button: reject all', 80],
      ['settings', 'Button: settings', 80],
      ['gpc_notice', 'Notice about Global Privacy Control', 500],
    ],
  ],
  [
    'Settings layer',
    [
      ['settings_title', 'Heading', 200],
      ['settings_description', 'Text', 4000],
      ['save', 'Button: save the choice', 80],
      ['close', 'Button: close', 80],
      ['receipt', 'Link: receipt of the choice', 80],
      ['always_active', 'Beside required categories', 80],
      ['vendors', 'Heading: vendors', 80],
      ['cookies', 'Heading: cookies', 80],
      ['lifetime', 'Heading: lifetime', 80],
      ['session', 'Lifetime of session cookies', 80],
    ],
  ],
  [
    'Notices (rules by region)',
    [
      ['notice_title', 'Heading', 200],
      ['notice_description', 'Text', 4000],
      ['ok', 'Button: close', 80],
      ['do_not_sell', 'Button: object', 80],
      ['notice_settings', 'Text of the settings layer', 4000],
    ],
  ],
  [
    'Blocked content (choice by vendor)',
    [
      ['blocked_vendor', 'Text; {vendor} and {category} are their names', 500],
      ['load_once', 'Button: this content once', 80],
      ['always_allow', 'Button: the vendor always; {vendor} is its name', 80],
    ],
  ],
  [
    'IAB TCF',
    [
      ['tcf_description', 'Text of the first layer; {vendors} is their number', 4000],
      ['tcf_choice', 'After the purposes; {reopen} is the button that opens the settings', 4000],
      ['purposes', 'Heading: purposes', 80],
      ['special_purposes', 'Heading: special purposes', 80],
      ['features', 'Heading: features', 80],
      ['special_features', 'Heading: special features', 80],
      ['consent', 'Switch: consent', 80],
      ['legitimate_interest', 'Switch: legitimate interest', 80],
      ['data_categories', 'Heading: categories of data', 80],
      ['retention', 'How long data are kept', 80],
      ['examples', 'Link: examples', 80],
      ['search', 'Search of vendors', 80],
      ['more', 'Button: more vendors', 80],
      ['other_storage', 'Other storage on the device', 80],
      ['renewed', 'Of a lifetime that begins anew', 80],
      ['storage_details', 'Link: details of storage', 80],
    ],
  ],
  [
    'Elsewhere',
    [
      ['privacy_policy', 'Link: privacy policy', 80],
      ['imprint', 'Link: imprint', 80],
      ['reopen', 'Button that opens the settings again', 80],
      ['blocked', 'On blocked content', 500],
      ['allow', 'Button on blocked content', 80],
      ['saved', 'Announced when a choice was saved', 200],
    ],
  ],
];
