// Generated from spec/*.tsp by `npm run generate`. Do not edit.
/**
 * Method, path and flags of every operation: i takes an idempotency key, p is paged, d answers a file, b
 * takes the bearer token.
 */
export const OPERATIONS = {
  /** Accept a one-time link and choose a password: creates the account and logs in. The first
   * owner's set-up link is printed by the server. 409 for an invitation to a site when the address
   * has an account already: log in with it, then call joinEnvironment. 429 when the
   * invitations of one person, and of accounts that they made, have made 50 accounts within 24
   * hours: the link stays valid. */
  acceptInvitation: ['POST', '/api/auth/accept-invitation', ''],
  /** Invite a person: the answer holds a one-time link to hand over, whether or not the address has
   * an account. They are a member once they have accepted it themselves: with the account of that
   * address when there is one, else by choosing a password. Nobody becomes a member, or gets a
   * password, without their own doing. 409 for a member, and for somebody who is invited already. */
  addMember: ['POST', '/api/environments/{token}/members', 'ib'],
  /** Allow the next run that needs it, within 24 hours, to delete up to so many records, whatever
   * share of the site they are. What is deleted is gone: look at the plan first. Answers with the
   * plan. */
  allowRetention: ['POST', '/api/cookies/{token}/retention/allow', 'b'],
  /** Change the caller's password. Every older bearer token ends; the answer holds a new one. */
  changePassword: ['POST', '/api/auth/password', 'b'],
  /** Look for the proof of a domain now: the TXT record, the file, and the site's script on the start
   * page. By itself this is done every day. A domain that was looked at less than 10 seconds ago is
   * answered as it was found then. */
  checkDomain: ['POST', '/api/cookies/{token}/domains/check', 'b'],
  /** Record a breach (GDPR Art. 33(5)) with what is known: a title and aware_at, from which the 72
   * hours run. The rest may follow with updateBreach, in phases (Art. 33(4)); until then texts are
   * empty, numbers null, the severity `unknown`. */
  createBreach: ['POST', '/api/cookies/{token}/breaches', 'ib'],
  /** Register a site; the caller becomes its owner. 409 when the account has as many as the operator allows. */
  createEnvironment: ['POST', '/api/environments', 'ib'],
  /** Create a webhook for all events or for some. The secret is shown this once. */
  createWebhook: ['POST', '/api/cookies/{token}/webhooks', 'ib'],
  /** Delete an archived site with everything that was recorded for it, proofs of consent included:
   * export first what must be kept. Its members and webhooks end at once, what was still to be
   * delivered with them; its records are erased in the background, in small portions. 409 unless it
   * is archived. */
  deleteEnvironment: ['DELETE', '/api/environments/{token}', 'b'],
  /** Delete a webhook with its deliveries. */
  deleteWebhook: ['DELETE', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Erase every consent record of one visitor's session, its form consents, and its events with
   * their deliveries (GDPR Art. 17). Counts in reports hold no personal data and stay; a data-subject
   * request that names the session stays too, as the record of the request itself. eraseSubject
   * erases all that there is of a person. */
  eraseSession: ['DELETE', '/api/cookies/{token}/sessions/{session_id}', 'b'],
  /** Erase what there is of a person (GDPR Art. 17): form consents by e-mail address, session or the
   * site's own id; consent records and choices of the sessions; the events of both and their
   * deliveries, sent or not; and from answered requests everything but the address and the
   * outcome, which prove that they were answered (Art. 5(2)). Says what was erased, and what was kept
   * and why. In small portions: what is erased stays so when the rest fails, and repeating it is
   * safe. */
  eraseSubject: ['POST', '/api/cookies/{token}/erasures', 'b'],
  /** The register of breaches as a file, oldest first, streamed: what an authority may ask for (GDPR
   * Art. 33(5)). CSV cells that a spreadsheet would take for a formula are quoted with `'`. A line
   * of ndjson is a `Breach`. */
  exportBreaches: ['GET', '/api/cookies/{token}/breaches/export', 'db'],
  /** Every consent record as a file, oldest first, streamed. CSV cells that a spreadsheet would take
   * for a formula are quoted with `'`. A line of ndjson is a `ConsentRecord`. */
  exportConsents: ['GET', '/api/cookies/{token}/consents/export', 'db'],
  /** Data-subject requests as a file, oldest first, streamed. CSV cells that a spreadsheet would take
   * for a formula are quoted with `'`. A line of ndjson is a `Dsar`. */
  exportDsar: ['GET', '/api/cookies/{token}/dsar/export', 'db'],
  /** Events as a file, oldest first, streamed. In CSV the payload is a cell of JSON; cells that a
   * spreadsheet would take for a formula are quoted with `'`. A line of ndjson is an `EventRecord`. */
  exportEvents: ['GET', '/api/cookies/{token}/events/export', 'db'],
  /** Form consents as a file, oldest first, streamed. CSV cells that a spreadsheet would take for a
   * formula are quoted with `'`. A line of ndjson is a `FormConsent`. */
  exportFormConsents: ['GET', '/api/cookies/{token}/form-consents/export', 'db'],
  /** Records of processing activities (GDPR Art. 30(1)(a)–(g)): the owner's entries joined with
   * those derived from categories, vendors, forms, requests and breaches. As JSON in the envelope,
   * or as a CSV, XLSX or printable HTML file; what a spreadsheet would take for a formula has a `'`
   * before it in CSV and XLSX, and a cell of XLSX is cut at 32,767 characters. What nobody recorded
   * is `not recorded`, never "none". */
  exportRopa: ['GET', '/api/cookies/{token}/ropa-export', 'db'],
  /** Extend the deadline by two months, 60 days at the most, once, with a reason (GDPR Art. 12(3));
   * 409 when resolved or extended already. */
  extendDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/extend', 'b'],
  /** Generate the site's banner script from its settings and publish it. The same settings give the
   * same bytes, on every process; every bundle ever generated is kept, so that what a visitor saw
   * can be shown again (GDPR Art. 7(1)). Pages of any origin may call it with a bearer token: there
   * is no cookie that a browser would add for a page that has none. */
  generateBundle: ['POST', '/api/cookies/{token}/generate-bundle', 'ib'],
  /** Decisions, rates, interactions, a time series and breakdowns, compared with the period before.
   * Default: the last 30 days by day. A range is at most 5 years, with the interval hour at most 93
   * days and without `group_by`; with the period before it must lie within the years 2000 to 2099.
   * Languages that the site does not have are counted as `other`. */
  getAnalytics: ['GET', '/api/cookies/{token}/analytics', 'b'],
  /** One breach with its history. */
  getBreach: ['GET', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** The site's present bundle: a script that shows the banner. Kept by caches for 60 s, and shown a
   * minute longer while they ask again; `If-None-Match` gives 304. Whatever query content systems
   * and optimisers add to the address is ignored. 404 before the first was generated, 403 while the
   * site is paused. */
  getBundle: ['GET', '/api/bundles/{token}.js', 'd'],
  /** One bundle with what it was made of. */
  getBundleRecord: ['GET', '/api/cookies/{token}/bundles/{hash}', 'b'],
  /** The texts of one language of a bundle, for scripts that hold only the default language. Caches
   * may keep it for a year. */
  getBundleTexts: ['GET', '/api/bundles/{token}/{hash}/texts/{language}', ''],
  /** The vendors, cookies and lifetimes that a bundle tells visitors about. Caches may keep it for a year. */
  getBundleVendors: ['GET', '/api/bundles/{token}/{hash}/vendors', ''],
  /** One bundle, for good: caches may keep it for a year. Older bundles stay where they are when a
   * new one is generated. A query is ignored. */
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
  /** One redelivery, and how far it is. */
  getRedelivery: ['GET', '/api/cookies/{token}/redeliveries/{redelivery_id}', 'b'],
  /** What the next run of retention would delete, and whether it is held. A run that would delete
   * more than a quarter of what a site has of a kind deletes nothing of the site until an owner
   * allows it: a shortened retention, a long standstill and a wrong clock look the same. */
  getRetentionPlan: ['GET', '/api/cookies/{token}/retention', 'b'],
  /** A scan and, once it is done, its result. 404 after 30 days. */
  getScan: ['GET', '/api/public/cookie-scan/{scan_id}', ''],
  /** The site's vendors with their purposes, cookies and lifetimes, for banners. Cacheable;
   * `If-None-Match` gives 304. */
  getVendors: ['GET', '/api/public/vendors/{token}', ''],
  /** One webhook with its state. */
  getWebhook: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Accept an invitation to a site as the person who is logged in. The account must have the
   * address that was invited (403); the link gives one site and nothing else. */
  joinEnvironment: ['POST', '/api/me/memberships', 'ib'],
  /** The register of breaches, newest first. */
  listBreaches: ['GET', '/api/cookies/{token}/breaches', 'pb'],
  /** Every bundle of the site, newest first. */
  listBundles: ['GET', '/api/cookies/{token}/bundles', 'pb'],
  /** Consent records, newest first. */
  listConsents: ['GET', '/api/cookies/{token}/consents', 'pb'],
  /** The webhook's deliveries, newest first; kept for 30 days. */
  listDeliveries: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries', 'pb'],
  /** The site's domains, which of them are proven to be its own, and what to publish where one is
   * not. Anybody can name any domain as a site's: until it is proven, `verifyDomain` does not answer
   * for the site. */
  listDomains: ['GET', '/api/cookies/{token}/domains', 'b'],
  /** Data-subject requests: newest first, or by deadline. `open` takes only those that are still to
   * be answered, or only the others. */
  listDsar: ['GET', '/api/cookies/{token}/dsar', 'pb'],
  /** The environments that the caller is a member of. */
  listEnvironments: ['GET', '/api/environments', 'pb'],
  /** Events with their payloads, oldest first unless `order` says otherwise: what a receiver missed
   * can be read again. Oldest first, an event is held back while an older one is still being
   * stored, so that whoever reads on is not led past it. Events of requests and breaches are all
   * kept; those of decisions from the moment that a webhook subscribes to them (the decisions
   * themselves are in listConsents). */
  listEvents: ['GET', '/api/cookies/{token}/events', 'pb'],
  /** Form consents, newest first. */
  listFormConsents: ['GET', '/api/cookies/{token}/form-consents', 'pb'],
  /** Who may see and manage the environment. */
  listMembers: ['GET', '/api/environments/{token}/members', 'pb'],
  /** The site's redeliveries, newest first; kept for 30 days. */
  listRedeliveries: ['GET', '/api/cookies/{token}/redeliveries', 'pb'],
  /** The scans that were started for this site, newest first; kept for 30 days. */
  listScans: ['GET', '/api/cookies/{token}/scans', 'pb'],
  /** What needs the owner's attention now, the most severe first; computed when it is read, the first 100. */
  listWarnings: ['GET', '/api/cookies/{token}/warnings', 'b'],
  /** The environment's webhooks. */
  listWebhooks: ['GET', '/api/cookies/{token}/webhooks', 'pb'],
  /** Record a visitor's decision. Answered only after it is committed. */
  logConsent: ['POST', '/api/consents/{token}/log', 'i'],
  /** Record a decision that a visitor made in a program of yours: a native app, or a server that
   * answers the visitor itself. The same as `logConsent`, with the visitor's own address and agent
   * in place of your server's; `method` is `api` unless it is named. Answered only after it is
   * committed. */
  logConsentForVisitor: ['POST', '/api/cookies/{token}/consents', 'ib'],
  /** Log in with e-mail and password. A wrong password, an unknown address and a disabled account
   * give the same answer in the same time. After 10 failures for one account from one network (an
   * IPv6 network is a /64) the next try must wait, each time twice as long (429); after 50 from one
   * network, or 50 for one account, too. An account that has logged in from that network within 90
   * days is let in with its right password meanwhile; a wrong one gets the same 429 as everybody. */
  login: ['POST', '/api/auth/console', ''],
  /** Log out: end the bearer token of this request. Other sessions of the caller go on. */
  logout: ['POST', '/api/auth/logout', 'b'],
  /** What a one-time link is for, so that a page can ask for what it needs. Looking does not use the
   * link up. */
  lookAtInvitation: ['POST', '/api/auth/invitation', ''],
  /** Record that a breach need not be reported, because a risk for the rights and freedoms of people
   * is unlikely (GDPR Art. 33(1)): its clock stops, and the reason stays in the register (Art.
   * 33(5)). 409 when it is reported, or judged so already. Sends no event. */
  markBreachNotReportable: ['POST', '/api/cookies/{token}/breaches/{breach_id}/not-reportable', 'b'],
  /** Send nothing more until it is resumed; deliveries are held, for 30 days. What is being sent at
   * that moment is finished. 409 when it is disabled, which holds them already. */
  pauseWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/pause', 'b'],
  /** Make a bundle of settings that need not be saved, without publishing or keeping it. Pages of
   * any origin may call it with a bearer token. */
  previewBundle: ['POST', '/api/cookies/{token}/preview-bundle', 'b'],
  /** Reactivate a disabled or failing webhook: its counter is 0 again and held deliveries go out,
   * oldest first. 409 when it is active, or paused. */
  reactivateWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/reactivate', 'b'],
  /** Record a request that came by letter, telephone or otherwise; sends dsar.created. The deadline
   * runs from the day that it came. */
  recordDsar: ['POST', '/api/cookies/{token}/dsar', 'ib'],
  /** Record what a person agreed to in a form. */
  recordFormConsent: ['POST', '/api/form-consents/{token}', 'i'],
  /** Record what a person agreed to in a form of yours whose answers your own server takes. The same
   * as `recordFormConsent`, with the person's own address in place of your server's. */
  recordFormConsentForVisitor: ['POST', '/api/cookies/{token}/form-consents', 'ib'],
  /** Count that the banner was shown. Kept as counts, never as a row for each visitor. */
  recordImpression: ['POST', '/api/impressions/{token}', ''],
  /** Record a decision in compact form, safe on page unload: as durable as `logConsent`, and counted
   * once for each `event_id`. */
  recordVisitorConsent: ['POST', '/api/v/{token}/ce', ''],
  /** Count up to 100 interactions with the banner. */
  recordVisitorEvents: ['POST', '/api/v/{token}/e', ''],
  /** Send a delivery once more, now, and answer with what came of it. Never counts towards the 5 failures. */
  redeliver: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', 'b'],
  /** Send everything anew that failed since an instant. Each delivery that was given up waits again,
   * with five new attempts, which count like those of any other; the oldest are sent first, and
   * those of a disabled or paused webhook are held until it goes on. Whatever reached the receiver
   * meanwhile is left out. It is done in the background, in small parts: `getRedelivery` says how
   * far it is. Asked for twice, it is the same one while it runs, and finds nothing left
   * afterwards. 409 while ten others are running. */
  redeliverFailed: ['POST', '/api/cookies/{token}/redeliveries', 'ib'],
  /** Remove a person, or take an invitation back. The open invitations that they made end, and
   * renewInvitation makes new ones. The last owner who can log in cannot be removed (409). */
  removeMember: ['DELETE', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Make a new invitation link for somebody who has not used theirs; the older link ends. 409 for
   * somebody who is a member already. */
  renewInvitation: ['POST', '/api/environments/{token}/members/{user_id}/invitation', 'ib'],
  /** Take back that a breach need not be reported, because the assessment has changed. The 72 hours
   * are those from aware_at: when they are over, the report says why it is late. 409 unless it is
   * judged to need no report. */
  reopenBreach: ['POST', '/api/cookies/{token}/breaches/{breach_id}/reopen', 'b'],
  /** Replace the site's vendors; send `expected_version`, so that nobody's change is lost. Unknown
   * categories and purposes, repeated ids, and a purpose with two legal bases are refused. */
  replaceVendors: ['PUT', '/api/cookies/{token}/vendors', 'b'],
  /** Mark a breach as reported to the supervisory authority; sends breach.reported; 409 when it is
   * reported already, or judged to need no report. After notify_by a reason is needed. */
  reportBreach: ['POST', '/api/cookies/{token}/breaches/{breach_id}/report', 'b'],
  /** Mark a request completed; sends dsar.resolved; 409 when it is resolved already. */
  resolveDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/resolve', 'b'],
  /** Go on with a paused webhook: held deliveries go out, oldest first, and its counter of failures
   * is 0. 409 when it is not paused. */
  resumeWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/resume', 'b'],
  /** End every bearer token of the caller, this one included. */
  revokeTokens: ['POST', '/api/auth/revoke', 'b'],
  /** Make a new secret, shown this once. The old one keeps signing until the overlap has passed; 409
   * while an overlap is running, unless it is ended with overlap_hours 0. When the answer was lost,
   * the same request with the same `Idempotency-Key` shows it once more, for 24 hours. */
  rotateWebhookSecret: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/rotate-secret', 'ib'],
  /** Record a choice by category: `logConsent` with the decision `save_preferences`. */
  savePreferences: ['POST', '/api/preferences/{token}', 'i'],
  /** Visit a page as a new visitor and list what it stores and whom it contacts before any consent.
   * The visit happens later: read it with `getScan`. 409 while a scan of the same domain waits or
   * runs; its id is not told, since the id is the key to its result. At most 5 a minute from one
   * address. Whoever runs the server decides by `SCANS` who may: anybody, whoever has logged in
   * (401 without a bearer token), or nobody (403). */
  startCookieScan: ['POST', '/api/public/cookie-scan', 'ib'],
  /** Begin to work on a request: created → in_progress; 409 from any other state. */
  startDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/start', 'b'],
  /** Submit a data-subject request (GDPR Art. 15–22). The deadline is a month, 30 days at the most. */
  submitDsar: ['POST', '/api/dsar/{token}', 'i'],
  /** Send an example event now and answer with what came of it. The request carries
   * `X-Service-Test: true`, which nothing else does but its redelivery. Never counts towards the 5
   * failures. */
  testWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/test', 'b'],
  /** Complete or correct a breach as facts become known (GDPR Art. 33(4)); what is left out stays. */
  updateBreach: ['PATCH', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** Change a site or its settings. A change of settings makes a new version; visitors get it within
   * 2 seconds. Send `expected_settings_version` and `expected_revision`, so that nobody's change is
   * lost when two people change the same at once. */
  updateEnvironment: ['PATCH', '/api/environments/{token}', 'b'],
  /** Give a person another role; it holds from their next request on, and an invitation gives it
   * once it is accepted. The open invitations of somebody who is an owner no more end, and
   * renewInvitation makes new ones. The last owner who can log in cannot be given less (409). */
  updateMember: ['PATCH', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Change a webhook; events that occurred before keep the subscription they had. */
  updateWebhook: ['PATCH', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Whether a domain is registered here and its banner is alive. `www.` stands for its domain;
   * other subdomains do not. A site answers for a domain that it has proven (`listDomains`), not for
   * one that it merely names. An unknown domain is not verified; it is no error. */
  verifyDomain: ['GET', '/api/public/verify/{domain}', ''],
} as const;
