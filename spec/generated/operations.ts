// Generated from spec/*.tsp by `npm run generate`. Do not edit.
/**
 * Method, path and flags of every operation: i takes an idempotency key, p is paged, d answers a file, b needs the
 * bearer token.
 */
export const OPERATIONS = {
  /** Accept a one-time link and choose a password: creates the account and logs in. The first owner's set-up link is printed by the server. */
  acceptInvitation: ['POST', '/api/auth/accept-invitation', ''],
  /** Add a person. Somebody without an account gets a one-time invitation link, unless a password is given. 409 for a member, and for somebody whose invitation to environments that you do not own is still open. */
  addMember: ['POST', '/api/environments/{token}/members', 'ib'],
  /** Change the caller's password. Every older bearer token ends; the answer holds a new one. */
  changePassword: ['POST', '/api/auth/password', 'b'],
  /** Record a breach (GDPR Art. 33(5)). The 72 hours run from aware_at. */
  createBreach: ['POST', '/api/cookies/{token}/breaches', 'ib'],
  /** Register a site; the caller becomes its owner. */
  createEnvironment: ['POST', '/api/environments', 'ib'],
  /** Create a webhook for all events or for some. The secret is shown this once. */
  createWebhook: ['POST', '/api/cookies/{token}/webhooks', 'ib'],
  /** Delete a webhook with its deliveries. */
  deleteWebhook: ['DELETE', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Erase every consent record of one visitor's session, with its events and their deliveries (GDPR Art. 17). Counts in reports hold no
   * personal data and stay; a data-subject request that names the session stays too, as the record of the request itself. */
  eraseSession: ['DELETE', '/api/cookies/{token}/sessions/{session_id}', 'b'],
  /** Every consent record as a file, oldest first, streamed. CSV cells that a spreadsheet would take for a formula are quoted with `'`. */
  exportConsents: ['GET', '/api/cookies/{token}/consents/export', 'db'],
  /** Records of processing activities (GDPR Art. 30(1)(a)–(g)): the owner's entries joined with those derived from categories, vendors, forms,
   * requests and breaches. As JSON in the envelope, or as a CSV, XLSX or printable HTML file; what a spreadsheet would take for a
   * formula has a `'` before it in CSV and XLSX, and a cell of XLSX is cut at 32,767 characters. */
  exportRopa: ['GET', '/api/cookies/{token}/ropa-export', 'db'],
  /** Extend the deadline by 60 days, once, with a reason (GDPR Art. 12(3)); 409 when resolved or extended already. */
  extendDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/extend', 'b'],
  /** Generate the site's banner script from its settings and publish it. The same settings give the same bytes, on every process; every
   * bundle ever generated is kept, so that what a visitor saw can be shown again (GDPR Art. 7(1)). Pages of any origin may call it with a
   * bearer token: there is no cookie that a browser would add for a page that has none. */
  generateBundle: ['POST', '/api/cookies/{token}/generate-bundle', 'ib'],
  /** Decisions, rates, interactions, a time series and breakdowns, compared with the period before. Default: the last 30 days by day.
   * A range is at most 5 years, with the interval hour at most 93 days and without `group_by`; with the period before it must lie within
   * the years 2000 to 2099. Languages that the site does not have are counted as `other`. */
  getAnalytics: ['GET', '/api/cookies/{token}/analytics', 'b'],
  /** One breach with its history. */
  getBreach: ['GET', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** The site's present bundle: a script that shows the banner. Kept by caches for 60 s, and shown a minute longer while they ask again; `If-None-Match` gives 304. Whatever query content systems and optimisers add to the address is ignored. 404 before the first was generated, 403 while the site is paused. */
  getBundle: ['GET', '/api/bundles/{token}.js', 'd'],
  /** One bundle with what it was made of. */
  getBundleRecord: ['GET', '/api/cookies/{token}/bundles/{hash}', 'b'],
  /** The texts of one language of a bundle, for scripts that hold only the default language. Caches may keep it for a year. */
  getBundleTexts: ['GET', '/api/bundles/{token}/{hash}/texts/{language}', ''],
  /** The vendors, cookies and lifetimes that a bundle tells visitors about. Caches may keep it for a year. */
  getBundleVendors: ['GET', '/api/bundles/{token}/{hash}/vendors', ''],
  /** One bundle, for good: caches may keep it for a year. Older bundles stay where they are when a new one is generated. A query is ignored. */
  getBundleVersion: ['GET', '/api/bundles/{token}/{hash}.js', 'd'],
  /** The compliance score with evidence, remedy and legal source of each check. */
  getComplianceScore: ['GET', '/api/cookies/{token}/compliance-score', 'b'],
  /** One consent record with what proves it: what was shown, and whether it was withdrawn later. */
  getConsent: ['GET', '/api/cookies/{token}/consents/{consent_id}', 'b'],
  /** One data-subject request with its history. */
  getDsar: ['GET', '/api/cookies/{token}/dsar/{request_id}', 'b'],
  /** One environment with its settings. */
  getEnvironment: ['GET', '/api/environments/{token}', 'b'],
  /** Who the bearer token belongs to. */
  getMe: ['GET', '/api/me', 'b'],
  /** The latest choice of a session, and whether it must be asked again. */
  getPreferences: ['GET', '/api/preferences/{token}', ''],
  /** A scan and, once it is done, its result. 404 after 30 days. */
  getScan: ['GET', '/api/public/cookie-scan/{scan_id}', ''],
  /** The site's vendors with their purposes, cookies and lifetimes, for banners. Cacheable; `If-None-Match` gives 304. */
  getVendors: ['GET', '/api/public/vendors/{token}', ''],
  /** One webhook with its state. */
  getWebhook: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** The register of breaches, newest first. */
  listBreaches: ['GET', '/api/cookies/{token}/breaches', 'pb'],
  /** Every bundle of the site, newest first. */
  listBundles: ['GET', '/api/cookies/{token}/bundles', 'pb'],
  /** Consent records, newest first. */
  listConsents: ['GET', '/api/cookies/{token}/consents', 'pb'],
  /** The webhook's deliveries, newest first; kept for 30 days. */
  listDeliveries: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries', 'pb'],
  /** Data-subject requests: newest first, or by deadline. `open` takes only those that are still to be answered, or only the others. */
  listDsar: ['GET', '/api/cookies/{token}/dsar', 'pb'],
  /** The environments that the caller is a member of. */
  listEnvironments: ['GET', '/api/environments', 'pb'],
  /** Events with their payloads, oldest first unless `order` says otherwise: what a receiver missed can be read again. Oldest first, an event
   * is held back while an older one is still being stored, so that whoever reads on is not led past it. Events of requests and breaches are all kept;
   * those of decisions from the moment that a webhook subscribes to them (the decisions themselves are in listConsents). */
  listEvents: ['GET', '/api/cookies/{token}/events', 'pb'],
  /** Form consents, newest first. */
  listFormConsents: ['GET', '/api/cookies/{token}/form-consents', 'pb'],
  /** Who may see and manage the environment. */
  listMembers: ['GET', '/api/environments/{token}/members', 'pb'],
  /** The scans that were started for this site, newest first; kept for 30 days. */
  listScans: ['GET', '/api/cookies/{token}/scans', 'pb'],
  /** What needs the owner's attention now, the most severe first; computed when it is read, the first 100. */
  listWarnings: ['GET', '/api/cookies/{token}/warnings', 'b'],
  /** The environment's webhooks. */
  listWebhooks: ['GET', '/api/cookies/{token}/webhooks', 'pb'],
  /** Record a visitor's decision. Answered only after it is committed. */
  logConsent: ['POST', '/api/consents/{token}/log', 'i'],
  /** Log in with e-mail and password. A wrong password and an unknown address give the same answer in the same time; after 10
   * failures within 15 minutes for one address of person and network, 429. */
  login: ['POST', '/api/auth/console', ''],
  /** Make a bundle of settings that need not be saved, without publishing or keeping it. Pages of any origin may call it with a bearer token. */
  previewBundle: ['POST', '/api/cookies/{token}/preview-bundle', 'b'],
  /** Reactivate a disabled or failing webhook: its counter is 0 again and held deliveries go out, oldest first. 409 when it is active. */
  reactivateWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/reactivate', 'b'],
  /** Record what a person agreed to in a form. */
  recordFormConsent: ['POST', '/api/form-consents/{token}', 'i'],
  /** Count that the banner was shown. Kept as counts, never as a row for each visitor. */
  recordImpression: ['POST', '/api/impressions/{token}', ''],
  /** Record a decision in compact form, safe on page unload: as durable as `logConsent`, and counted once for each `event_id`. */
  recordVisitorConsent: ['POST', '/api/v/{token}/ce', ''],
  /** Count up to 100 interactions with the banner. */
  recordVisitorEvents: ['POST', '/api/v/{token}/e', ''],
  /** Send a delivery once more, now, and answer with what came of it. Never counts towards the 5 failures. */
  redeliver: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', 'b'],
  /** Remove a person. The open invitations that they made end, and renewInvitation makes new ones. The last owner who has an account cannot be removed (409). */
  removeMember: ['DELETE', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Make a new invitation link for somebody who has not used theirs; the older link ends. 409 for somebody who has an account, and for somebody who is invited to environments that you do not own too: whoever holds the link gets all of them. */
  renewInvitation: ['POST', '/api/environments/{token}/members/{user_id}/invitation', 'ib'],
  /** Replace the site's vendors; send `expected_version`, so that nobody's change is lost. Unknown categories and purposes, repeated ids, and a purpose with two legal bases are refused. */
  replaceVendors: ['PUT', '/api/cookies/{token}/vendors', 'b'],
  /** Mark a breach as reported to the supervisory authority; sends breach.reported; 409 when it is reported already. After notify_by a reason is needed. */
  reportBreach: ['POST', '/api/cookies/{token}/breaches/{breach_id}/report', 'b'],
  /** Mark a request completed; sends dsar.resolved; 409 when it is resolved already. */
  resolveDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/resolve', 'b'],
  /** End every bearer token of the caller, this one included. */
  revokeTokens: ['POST', '/api/auth/revoke', 'b'],
  /** Make a new secret, shown this once. The old one keeps signing until the overlap has passed; 409 while an overlap is running, unless it is ended with overlap_hours 0. */
  rotateWebhookSecret: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/rotate-secret', 'b'],
  /** Record a choice by category: `logConsent` with the decision `save_preferences`. */
  savePreferences: ['POST', '/api/preferences/{token}', 'i'],
  /** Visit a page as a new visitor and list what it stores and whom it contacts before any consent. The visit happens later: read it
   * with `getScan`. 409 while a scan of the same domain waits or runs; its id is not told, since the id is the key to its result.
   * At most 5 a minute from one address. */
  startCookieScan: ['POST', '/api/public/cookie-scan', 'i'],
  /** Begin to work on a request: created → in_progress; 409 from any other state. */
  startDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/start', 'b'],
  /** Submit a data-subject request (GDPR Art. 15–22). The deadline is 30 days. */
  submitDsar: ['POST', '/api/dsar/{token}', 'i'],
  /** Send an example event now and answer with what came of it. The request carries `X-Service-Test: true`, which nothing else does but its redelivery. Never counts towards the 5 failures. */
  testWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/test', 'b'],
  /** Complete or correct a breach as facts become known (GDPR Art. 33(4)); what is left out stays. */
  updateBreach: ['PATCH', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** Change a site or its settings. A change of settings makes a new version; visitors get it within 2 seconds. Send `expected_settings_version` and `expected_revision`, so that nobody's change is lost when two people change the same at once. */
  updateEnvironment: ['PATCH', '/api/environments/{token}', 'b'],
  /** Give a person another role; it holds from their next request on. The open invitations of somebody who is an owner no more end, and renewInvitation makes new ones. The last owner who has an account cannot be given less (409). */
  updateMember: ['PATCH', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Change a webhook; events that occurred before keep the subscription they had. */
  updateWebhook: ['PATCH', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Whether a domain is registered here and its banner is alive. `www.` stands for its domain; other subdomains do not. An unknown domain is
   * not verified; it is no error. */
  verifyDomain: ['GET', '/api/public/verify/{domain}', ''],
} as const;
