// Generated from spec/*.tsp by `npm run generate`. Do not edit.
/** The message of each pattern of the contract. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  "[^\\s\\x00-\\x1f\\x7f-\\x9f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u00ad\\u034f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb]":
    "must contain a visible character",
  "^#[0-9a-fA-F]{6}$":
    "must be a colour such as #1a2b3c",
  "^([0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*)?$":
    "must be numbers such as 2,5-9,755",
  "^([0-9a-fA-F]{8}(-[0-9a-fA-F]{0,4}){0,3}(-[0-9a-fA-F]{0,12})?|fp_[0-9A-Za-z_-]{22})$":
    "must be an id such as 018f6f5e-7c1d-7a6e-9b59-0d6a8c1f2b3c, its first 8 characters at least, or a fingerprint: fp_ and 22 characters",
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|fp_[0-9A-Za-z_-]{22})$":
    "must be a session's id such as 018f6f5e-7c1d-7a6e-9b59-0d6a8c1f2b3c, or its fingerprint: fp_ and 22 characters",
  "^(builtin-[a-z_]{1,30}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$":
    "must be the template_id of a template",
  "^(me|nobody|[1-9][0-9]{0,8})$":
    "must be the id of a member, me or nobody",
  "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$":
    "must be a day between 2000 and 2099 such as 2026-11-21",
  "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$":
    "must be a day such as 2026-11-21, or an ISO 8601 instant between 2000 and 2099 such as 2026-11-21T09:30:00.000Z",
  "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$":
    "must be an ISO 8601 instant between 2000 and 2099 such as 2026-11-21T09:30:00.000Z",
  "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$":
    "must be a day",
  "^[ \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u00ad\\u034f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb]*[^\\s\\x00-\\x1f\\x7f-\\x9f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u00ad\\u034f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb][^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$":
    "must contain a visible character, and no line break or other control character",
  "^[!-~]([ -~]{0,1022}[!-~])?$":
    "must be 1 to 1024 visible ASCII characters, with spaces only between them",
  "^[0-9A-Fa-f:.]{2,39}(/[0-9]{1,3})?$":
    "must be a network such as 203.0.113.0/24 or 2001:db8::/48, or an address",
  "^[0-9A-Fa-f:.]{2,45}$":
    "must be an IPv4 or IPv6 address",
  "^[0-9A-Za-z -]{6,40}$":
    "must be a code of 6 digits, or a recovery code",
  "^[0-9A-Za-z]{12}$":
    "must be the id of a key: 12 letters or digits",
  "^[0-9]{3} ?[0-9]{3}$":
    "must be a code of 6 digits",
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$":
    "must be the scan_id that startCookieScan answered",
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$":
    "must be a UUID such as 018f6f5e-7c1d-7a6e-9b59-0d6a8c1f2b3c",
  "^[0-9a-f]{64}$":
    "must be 64 hexadecimal digits in lower case",
  "^[A-Z]{2}$":
    "must be a country code such as DE",
  "^[A-Z]{2}(-[A-Z0-9]{1,3})?$":
    "must be a region such as DE or US-CA",
  "^[A-Za-z0-9+/]{2,699052}={0,2}$":
    "must be base64",
  "^[A-Za-z0-9_-]*$":
    "must be base64url without padding",
  "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$":
    "must be a challenge of this server",
  "^[A-Za-z0-9_-]{1,500}$":
    "must be the next_cursor of an earlier answer",
  "^[A-Za-z0-9_-]{1,64}$":
    "must be 1 to 64 letters, digits, hyphens and underscores",
  "^[A-Za-z0-9_-]{22}$":
    "must be the revision of a site, as it was read",
  "^[A-Za-z0-9_-]{32}$":
    "must be the link of createConsentLink: 24 bytes in base64url without padding, 32 characters",
  "^[A-Za-z0-9_-]{43}$":
    "must be 32 bytes in base64url without padding: 43 characters",
  "^[A-Za-z0-9_-]{8,88}$":
    "must be a bundle hash",
  "^[A-Za-z0-9_.-]+$":
    "must be an IAB TCF string",
  "^[A-Za-z0-9_.-]{1,100}$":
    "must be 1 to 100 letters, digits, dots, hyphens or underscores",
  "^[A-Za-z0-9_.~-]+$":
    "must be an IAB GPP string",
  "^[A-Za-z][A-Za-z -]{0,59}$":
    "must be the name of an operation such as updateEnvironment",
  "^[A-Za-z][A-Za-z0-9_+/-]{0,63}$":
    "must be an IANA time zone such as Europe/Berlin",
  "^[\\t\\n\\r \\x7f-\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u00ad\\u034f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb]*[^\\s\\x00-\\x1f\\x7f-\\x9f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u00ad\\u034f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb][^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]*$":
    "must contain a visible character, and no control characters but tabs and line breaks",
  "^[\\x21-\\x7e]{1,128}$":
    "must be 1 to 128 visible ASCII characters",
  "^[\\x21-\\x7e]{1,40}$":
    "must be 1 to 40 visible characters such as 2026-11",
  "^[^\\\\/:*?\"<>|\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069.\\s][^\\\\/:*?\"<>|\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]{0,119}$":
    "must be a file name of 1 to 120 characters that begins with none of / : * ? < > | . or a blank",
  "^[^\\s/:@?#%\\\\<>\"]{1,253}$":
    "must be a domain name such as www.example.com",
  "^[^\\s@<>\"(),:;\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufe00-\\ufe0f\\ufff0-\\ufffb\\ue000-\\uf8ff]{1,64}@[^\\s@<>\"(),:;\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufe00-\\ufe0f\\ufff0-\\ufffb\\ue000-\\uf8ff]{1,189}\\.[^\\s@<>\"(),:;\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufe00-\\ufe0f\\ufff0-\\ufffb\\ue000-\\uf8ff.]{2,63}$":
    "must be an e-mail address",
  "^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]*$":
    "must contain no control characters but tabs and line breaks",
  "^[a-z-]{1,20}$":
    "must be a transport such as internal",
  "^[a-z0-9.-]+(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?$":
    "must be a host in lower case such as tracker.example, or the beginning of an address there, such as cdn.example/pixel/",
  "^[a-z][a-z0-9-]{0,31}$":
    "must be the name of a provider such as acme",
  "^[a-z][a-z0-9_]{0,39}$":
    "must be a lower-case category key such as analytics",
  "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$":
    "must be a BCP 47 language tag in its usual letter case, such as en, de-AT or zh-Hant",
  "^avow_[0-9A-Za-z]{50}$":
    "must be an API key",
  "^data:image/(png|webp|jpeg);base64,[A-Za-z0-9+/]+={0,2}$":
    "must be a PNG, WebP or JPEG as a data URL such as data:image/png;base64,iVBO…",
  "^env_[0-9A-Za-z]{22}$":
    "must be an environment token: env_ and 22 letters or digits",
  "^https?://([^\\s<>\"\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069/?#@]*@)?(\\[[0-9A-Fa-f:.]{2,45}\\]|[^\\s<>\"\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069/?#@:%^|\\[\\]]{1,253})(:[0-9]{1,5})?([/?#][^\\s<>\"\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*)?$":
    "must be an absolute http or https URL",
};
