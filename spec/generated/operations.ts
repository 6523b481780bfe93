// Generated from spec/*.tsp by `npm run generate`. Do not edit.
/**
 * Method, path and flags of every operation: i takes an idempotency key, p is paged, d returns a file, b
 * needs the bearer token.
 */
export const OPERATIONS = {
  /** Accept a one-time link and choose a password: creates the account and logs in. The first
   * owner's set-up link is printed by the server. 409 for an invitation to a site when the address
   * has an account already: log in with it, then call joinEnvironment. 429 when the
   * invitations of one person, and of accounts that they made, have made 50 accounts within 24
   * hours: the link stays valid. 403 with `second_factor_required` when the account has a second factor: the
   * password is chosen and the link used up, and completeLogin logs in. Where the server sends mail, somebody invited as an
   * owner gets an account, verifies its address (verifyEmail), and then calls joinEnvironment with the same link.
   * 403 with `forbidden` for an invitation to a site when the operator refuses passwords: log in by a provider,
   * then call joinEnvironment. */
  acceptInvitation: ['POST', '/api/auth/accept-invitation', ''],
  /** Write to the other members about a request, whatever its state. It is deleted with the request, and when the person
   * is erased after the answer. 409 when there are 500 comments on it. */
  addDsarComment: ['POST', '/api/cookies/{token}/dsar/{request_id}/comments', 'ib'],
  /** Invite a person: the answer holds a one-time link to hand over, whether or not the address has
   * an account. They become a member by accepting it: with the existing account of that address,
   * otherwise by choosing a password. Nobody becomes a member or gets a password without accepting.
   * 409 for a member, and for somebody who is already invited. */
  addMember: ['POST', '/api/environments/{token}/members', 'ib'],
  /** Add a passkey that a browser has made, with the proof that beginPasskey needs. From now on a log-in
   * needs a second factor; all other sessions end. */
  addPasskey: ['POST', '/api/me/passkeys', 'b'],
  /** Allow the next run that needs it, within 24 hours, to delete up to this number of records,
   * whatever share of the site they are. Deletion is final: look at the plan first. Answers with
   * the plan. */
  allowRetention: ['POST', '/api/cookies/{token}/retention/allow', 'b'],
  /** Give a request to an operator or owner of the site, or to nobody. They are told by mail, if they want to be
   * (`request_assigned`), unless they took it themselves. When they leave the site, become a viewer or are
   * disabled, nobody has it. 409
   * for anybody else, when somebody else has it by now (`expected_assignee`), and when its history is full (see
   * `reopenDsar`); it can always be given to nobody. 429 when the request changed 200 times in 24
   * hours; the last quarter is for owners who are logged in. */
  assignDsar: ['PUT', '/api/cookies/{token}/dsar/{request_id}/assignee', 'b'],
  /** Give requests to a member or to nobody, as assignDsar does; the answer says what became of each. */
  assignDsars: ['POST', '/api/cookies/{token}/dsar-bulk/assign', 'b'],
  /** Begin to link an account at a provider to the caller's: as beginSignOn, but bound to the caller. This and
   * finishLink need a recent proof of the caller's account itself: 403 with `reauthentication_required` for a
   * session that began at a provider, when the account has a password or a passkey; `reauthenticate` gives one, and
   * so does a log-in by the one-time link of whoever runs the server. An account without either is proved by a provider
   * account that is linked to it. */
  beginLink: ['POST', '/api/me/identities', 'b'],
  /** What a browser needs to make a passkey. 409 beyond 20, or where `PUBLIC_URL` allows none. Adding and
   * removing one need a recent proof of the account itself, as beginLink does: 403 with
   * `reauthentication_required` for a session that began at a provider, when the account has a password or
   * a passkey. */
  beginPasskey: ['POST', '/api/me/passkeys/options', 'b'],
  /** What a browser needs to ask for a passkey, to log in without a password. 403 for everybody when
   * only providers let people in (`PASSWORD_LOGIN=off`). 409 where the server's `PUBLIC_URL` allows no
   * passkeys. */
  beginPasskeyLogin: ['POST', '/api/auth/passkey/options', ''],
  /** What a browser needs to ask for a passkey of the caller, to reauthenticate. The authenticator must
   * check the person (`user_verification` is `required`), but where the account has no password and the
   * session began at a provider account that is linked to it: then that log-in is one proof, having the
   * passkey is the other, and it is `preferred`. Whoever sends the password together with the passkey may
   * ask the authenticator with `preferred`, too. 409 where the server's `PUBLIC_URL` allows no passkeys. */
  beginReauthentication: ['POST', '/api/auth/reauthenticate/options', 'b'],
  /** Begin to log in by an OpenID provider: authorization code with PKCE (RFC 7636), state and nonce.
   * Nothing is stored. The browser keeps a secret and sends its hash; the provider sends it back to
   * the console, which calls finishSignOn. 503 when the provider does not answer. */
  beginSignOn: ['POST', '/api/auth/sign-on', ''],
  /** Make a secret for an authenticator app. It counts from its first code on (confirmTotp), and
   * takes the place of one that was not confirmed, without another entry in the audit trail. Adding and
   * removing an app, and renewing recovery codes, need a recent proof of the account itself, as
   * beginPasskey does: 403 with `reauthentication_required` for a session that began at a provider, when
   * the account has a password or a passkey. 409 when an app is confirmed already: remove it first. */
  beginTotp: ['POST', '/api/me/totp', 'b'],
  /** Change the caller's password. Every older bearer token ends; the answer holds a new one. Of somebody with a second
   * factor it counts as recent, and ends, when the old one did: a password alone proves them no more. */
  changePassword: ['POST', '/api/auth/password', 'b'],
  /** Check the proof of a domain now: the TXT record, the file, and the site's script on the start
   * page. The server also does this every day. When the last check was less than 10 seconds ago,
   * its result is returned. */
  checkDomain: ['POST', '/api/cookies/{token}/domains/check', 'b'],
  /** The second step of a log-in: the challenge of the first, with a code of an authenticator app, a
   * recovery code, or a passkey. A code works once. After 10 wrong codes for one account in a day each
   * further attempt must wait twice as long as the one before, up to an hour (429); from a network that
   * the account has logged in from lately, only those of that network count. 403 when the log-in began
   * with a password and the operator refuses them meanwhile (`PASSWORD_LOGIN=off`). */
  completeLogin: ['POST', '/api/auth/second-factor', ''],
  /** Confirm the authenticator app by the code that it shows, with the proof that beginTotp needs. From now
   * on a log-in needs a second factor; all other sessions end. 409 when there is nothing to confirm. */
  confirmTotp: ['POST', '/api/me/totp/confirm', 'b'],
  /** Begin a file for the answer to an access or portability request; its bytes come in parts of 512 KiB. The person gets
   * a link by mail when the request is resolved, and with it a code by another mail. Files are deleted 30 days after the
   * answer. 409 for requests of other types, resolved ones, ones without an e-mail address, beyond 10 files or 50 MiB, and
   * beyond 1 GiB of attachments and files of answers of a site, unless the server's operator has set another limit. */
  createAnswerFile: ['POST', '/api/cookies/{token}/dsar/{request_id}/files', 'ib'],
  /** Make a template of answers. 409 when the site has 100. */
  createAnswerTemplate: ['POST', '/api/cookies/{token}/dsar-templates', 'ib'],
  /** Begin an internal file of a request, in whatever state the request is; its bytes come in parts of 512 KiB. What has
   * not come in full after a day is deleted. Attachments are erased with their request: by retention, with the data of
   * the person once the request is answered, and with the site. 409 beyond what a request or the site may have: 50 files
   * of 100 MiB together, and 1 GiB with files of answers, unless the server's operator has set other limits. */
  createAttachment: ['POST', '/api/cookies/{token}/dsar/{request_id}/attachments', 'ib'],
  /** Record a breach (GDPR Art. 33(5)). Only a title and aware_at, from which the 72 hours run, are
   * required. Add the rest with updateBreach, in phases (Art. 33(4)); until then texts are empty,
   * numbers are null and the severity is `unknown`. */
  createBreach: ['POST', '/api/cookies/{token}/breaches', 'ib'],
  /** Make a token by which a visitor's choice is taken along to another domain of the site, for a site with
   * `settings.linked_domains`. It holds once, for 60 seconds, for the same user agent on the same network (the
   * first 24 bits of an IPv4 address, 64 of an IPv6 address) and the same scheme. 403 unless the
   * page's `Origin` is one of these domains; 404 when the session has no choice in force that can be taken along: also one
   * that an owner's program stated, one that allows more than is stated to be in force on the page, and any while the browser
   * sends `Sec-GPC: 1`. */
  createConsentLink: ['POST', '/api/v/{token}/link', ''],
  /** Register a site; the caller becomes its owner. 409 when the account has reached the operator's
   * limit, 429 when it has made as many in 24 hours, deleted ones too. */
  createEnvironment: ['POST', '/api/environments', 'ib'],
  /** Make a key for a program, for a site that the caller owns or for all of them. The key acts for
   * the caller, who is its maker: it stops working on a site where the caller is no longer an owner,
   * and everywhere when the account is disabled, or gets a new password by the operator's link. A
   * password that the caller changes does not end it. 403 for somebody who is not an owner; 409 beyond
   * 50 keys that still work. */
  createKey: ['POST', '/api/me/keys', 'ib'],
  /** Create a webhook for all events or for some. The secret is shown only this once. 409 for more than 100 of a site,
   * and for more than 10 (`VISITOR_WEBHOOKS_PER_SITE`) that ask for events that visitors cause: `consent.*`,
   * `dsar.created`, or all. Paused and disabled ones count. 429 while the deliveries of 200 deleted webhooks of the site
   * are still being deleted. */
  createWebhook: ['POST', '/api/cookies/{token}/webhooks', 'ib'],
  /** Delete a file; also one that was sent with an answer, which can be downloaded no more. */
  deleteAnswerFile: ['DELETE', '/api/cookies/{token}/dsar/{request_id}/files/{file_id}', 'b'],
  /** Delete a template of answers. */
  deleteAnswerTemplate: ['DELETE', '/api/cookies/{token}/dsar-templates/{template_id}', 'b'],
  /** Delete an attachment. */
  deleteAttachment: ['DELETE', '/api/cookies/{token}/dsar/{request_id}/attachments/{attachment_id}', 'b'],
  /** Delete a comment: one's own, or as an owner anybody's. */
  deleteDsarComment: ['DELETE', '/api/cookies/{token}/dsar/{request_id}/comments/{comment_id}', 'b'],
  /** Delete an archived site with everything recorded for it, including proofs of consent: first
   * export what must be kept. Its members and webhooks are removed at once, so that nothing more is
   * sent; its records and deliveries are erased in the background in small batches. The audit trail is
   * kept for its own time.
   * 409 unless it is archived, and while data-subject requests or breaches are open (GDPR Art. 12(3),
   * 33(1)) unless `unanswered` is true. It takes a login: no API key deletes a site. */
  deleteEnvironment: ['DELETE', '/api/environments/{token}', 'b'],
  /** Delete a webhook with its deliveries. Nothing of it can be read from then on; many deliveries
   * are deleted in the background. */
  deleteWebhook: ['DELETE', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** An attachment as a file to be saved; each download is in the audit trail. 409 until all of it has come. */
  downloadAttachment: ['GET', '/api/cookies/{token}/dsar/{request_id}/attachments/{attachment_id}/content', 'db'],
  /** End every other session of the caller, at once and on every process. The answer holds a new
   * token for this one, which ends when the old one would have ended. */
  endOtherSessions: ['POST', '/api/me/sessions/end-others', 'b'],
  /** End one of the caller's sessions, at once and on every process. */
  endSession: ['DELETE', '/api/me/sessions/{login_session_id}', 'b'],
  /** Erase every consent record of one visitor's session, its form consents, and its events with
   * their deliveries (GDPR Art. 17). Counts in reports hold no personal data and are kept. A
   * data-subject request that names the session is also kept, as the record of the request itself.
   * Use eraseSubject to erase everything about a person. Works in small batches: a batch stays
   * erased when a later one fails, and repeating the call is safe. */
  eraseSession: ['DELETE', '/api/cookies/{token}/sessions/{session_id}', 'b'],
  /** Erase everything about a person (GDPR Art. 17): form consents by e-mail address, session or the
   * site's own id; consent records and choices of the sessions; the events of both with their
   * deliveries, sent or not; and from answered requests everything but the address and the outcome,
   * which prove that they were answered (Art. 5(2)). Follows an address or id to sessions only by
   * records of the owner's side, and lists what visitors' requests claimed. Reports what was erased,
   * and what was kept and why. Works in small batches: a batch stays erased when a later one fails,
   * and repeating the call is safe. */
  eraseSubject: ['POST', '/api/cookies/{token}/erasures', 'b'],
  /** The audit trail as a file, oldest first, streamed. In CSV the changes are a cell of JSON; cells that
   * a spreadsheet would take for a formula are prefixed with `'`. Each line of ndjson is an
   * `AuditEvent`. The export is in the trail itself. */
  exportAuditEvents: ['GET', '/api/cookies/{token}/audit/export', 'db'],
  /** The register of breaches as a file, oldest first, streamed: what an authority may ask for (GDPR
   * Art. 33(5)). CSV cells that a spreadsheet would read as a formula are prefixed with `'`. Each
   * line of ndjson is a `Breach`. */
  exportBreaches: ['GET', '/api/cookies/{token}/breaches/export', 'db'],
  /** Every consent record as a file, oldest first, streamed. CSV cells that a spreadsheet would read
   * as a formula are prefixed with `'`. Each line of ndjson is a `ConsentRecord`. */
  exportConsents: ['GET', '/api/cookies/{token}/consents/export', 'db'],
  /** Data-subject requests as a file, oldest first, streamed. CSV cells that a spreadsheet would
   * read as a formula are prefixed with `'`; `assignee` is an e-mail address there. Each line of ndjson is a `Dsar`. */
  exportDsar: ['GET', '/api/cookies/{token}/dsar/export', 'db'],
  /** Everything of one request as a ZIP archive: `case.json` (a `DsarCase` that leaves out no comments and no history), all
   * attachments and files of the answer that have come in full, and `sha256sums.txt`, which `sha256sum --check` reads. */
  exportDsarCase: ['GET', '/api/cookies/{token}/dsar/{request_id}/case/export', 'db'],
  /** Records of erasures as a file, oldest first, streamed. CSV cells that a spreadsheet would read as a
   * formula are prefixed with `'`. Each line of ndjson is an `Erasure`. */
  exportErasures: ['GET', '/api/cookies/{token}/erasures/export', 'db'],
  /** Events as a file, oldest first, streamed. In CSV the payload is a cell of JSON; cells that a
   * spreadsheet would take for a formula are quoted with `'`. A line of ndjson is an `EventRecord`. */
  exportEvents: ['GET', '/api/cookies/{token}/events/export', 'db'],
  /** An evidence pack: one ZIP archive with records, what hides them in the log, their proofs, the banners, settings and
   * vendors that they name, the signed state of the log with what witnesses and time-stamp authorities say of it, and a
   * page to read and print that says what is proven and what is not. The page `/verify` of any server, `npm run verify`
   * and `@avow/sdk/verify` check it, without this server. A range holds everything that was recorded in it, at most
   * 200,000 consent records and 50,000 others. Sessions are named in full, so viewers get none. */
  exportEvidence: ['GET', '/api/cookies/{token}/evidence/export', 'db'],
  /** Form consents as a file, oldest first, streamed. CSV cells that a spreadsheet would read as a
   * formula are prefixed with `'`. Each line of ndjson is a `FormConsent`. */
  exportFormConsents: ['GET', '/api/cookies/{token}/form-consents/export', 'db'],
  /** Records of processing activities (GDPR Art. 30(1)(a)–(g)): the owner's entries joined with
   * those derived from categories, vendors, forms, requests and breaches. As JSON in the envelope,
   * or as a CSV, XLSX or printable HTML file; in CSV and XLSX, text that a spreadsheet would read
   * as a formula is prefixed with `'`, and XLSX cells are cut at 32,767 characters. Missing
   * information is shown as `not recorded`, never as "none". */
  exportRopa: ['GET', '/api/cookies/{token}/ropa-export', 'db'],
  /** Extend the deadline once by two months, at most 60 days, with a reason (GDPR Art. 12(3));
   * 409 when already resolved or extended, or when the data subject was told after the deadline. */
  extendDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/extend', 'b'],
  /** Extend the deadlines of requests with one reason, as extendDsar does, which mails it to each person; the answer says
   * what became of each. */
  extendDsars: ['POST', '/api/cookies/{token}/dsar-bulk/extend', 'b'],
  /** Put on a request's list what it does not have yet: the site's systems, the processing activities of its
   * settings, their recipients, and further names. Repeating it adds nothing twice. At most 200 lines: further
   * ones are left out. 409 when the request is resolved. */
  fillSearchList: ['POST', '/api/cookies/{token}/dsar/{request_id}/systems', 'b'],
  /** Finish to link, once the person has seen both accounts and agreed: from now on the caller can log in by that
   * provider account, whatever its address. 409 for a text that proveLink gave somebody else or more than ten
   * minutes ago, or that was used; when the provider account belongs to an account already, and for more than 10. */
  finishLink: ['POST', '/api/me/identities/finish', 'b'],
  /** Finish a log-in by a provider. The roles that its groups give are set anew: a lost group takes its
   * role away, unless nobody else who can log in owns the site. Whoever logs in for the first time gets
   * an account if a rule of the configuration or an open invitation lets them in, and if the provider
   * has verified their address and may speak for its domain. 401 when the log-in was begun in another browser, more than ten minutes
   * ago, or is finished already, when the provider's answer cannot be trusted, and when it was to ask who
   * is there and does not say that it did. 403 when nothing
   * lets the person in; with `second_factor_required` when the account has a second factor and the provider
   * does not say that it asked for one: completeLogin goes on. 409 when the address has an account: its owner logs in to it and links
   * the provider. 503 when the provider does not answer. */
  finishSignOn: ['POST', '/api/auth/sign-on/finish', ''],
  /** Generate the site's banner script from its settings and publish it. The same settings give the
   * same bytes on every process. Every bundle is kept, so that what a visitor saw can be shown
   * again (GDPR Art. 7(1)). At most 200 new ones in 24 hours (429). At most 1 MiB of texts in all languages together, as a
   * script holds them (400, `too_large`): a text of a category counts once for each language that has no other. Pages of
   * any origin may call this with a bearer token, because no cookie is involved that a browser would send by itself. */
  generateBundle: ['POST', '/api/cookies/{token}/generate-bundle', 'ib'],
  /** Decisions, rates, interactions, a time series and breakdowns, compared with the period before.
   * Default: the last 30 days by day. A range is at most 5 years, or 93 days with the interval
   * `hour`, which does not allow `group_by`. The range and the period before it must lie within the
   * years 2000 to 2099. Languages that the site does not have are counted as `other`.
   * 
   * An answer has at most 25,000 points in groups, and at most 100,000 points and categories of
   * points in total: what would have more is refused (400), and needs a wider interval, a shorter
   * range or no group. It has the 100 categories that were decided about most often in the range,
   * and of interactions and of groups in each breakdown the 1,000 most frequent. */
  getAnalytics: ['GET', '/api/cookies/{token}/analytics', 'b'],
  /** The text of a template for one request, its placeholders filled with plain text: what `resolveDsar` takes as
   * `answer`, to be checked and changed by whoever answers. Without `template_id` the site's first one by name for
   * the type and language of the request is used, otherwise one in English, and `other_language` says so. */
  getAnswerText: ['GET', '/api/cookies/{token}/dsar/{request_id}/answer-text', 'b'],
  /** Which hosts wait for which category, which do not, and why, by the site's settings, its list of vendors and the newest
   * scan of each of its pages, whether auto-blocking is on or not. What visitors' browsers have held is told to their pages
   * alone (`Avow.held()`). */
  getAutoBlocking: ['GET', '/api/cookies/{token}/auto-blocking', 'b'],
  /** The A/B test of two versions of the banner (`settings.banner_test`), with its figures and a verdict, and those that
   * ended. What is counted is the impression: the version is drawn for each page view, and nothing is stored in a browser
   * before a decision. Figures are exact to the last second or two. */
  getBannerTest: ['GET', '/api/cookies/{token}/banner-test', 'b'],
  /** One breach with its history, and whether its steps are sealed. */
  getBreach: ['GET', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** The site's current bundle: a script that shows the banner. Caches keep it for 60 s and may
   * serve it for another minute while they revalidate; `If-None-Match` gives 304. Any query that
   * content systems and optimisers add to the address is ignored. 404 before the first bundle is
   * generated, 403 while the site is paused. */
  getBundle: ['GET', '/api/bundles/{token}.js', 'd'],
  /** One bundle with what it was made from. */
  getBundleRecord: ['GET', '/api/cookies/{token}/bundles/{hash}', 'b'],
  /** The texts of one language of a bundle, for scripts that hold only the default language. Caches
   * may keep it for a year. */
  getBundleTexts: ['GET', '/api/bundles/{token}/{hash}/texts/{language}', ''],
  /** The vendors, cookies and lifetimes that a bundle tells visitors about. Caches may keep it for a year. */
  getBundleVendors: ['GET', '/api/bundles/{token}/{hash}/vendors', ''],
  /** One bundle at a permanent address: caches may keep it for a year. Older bundles stay available
   * when a new one is generated. A query is ignored. */
  getBundleVersion: ['GET', '/api/bundles/{token}/{hash}.js', 'd'],
  /** The compliance score with evidence, remedy and legal source of each check. */
  getComplianceScore: ['GET', '/api/cookies/{token}/compliance-score', 'b'],
  /** One consent record with what proves it: what was shown, and whether it was withdrawn later. */
  getConsent: ['GET', '/api/cookies/{token}/consents/{consent_id}', 'b'],
  /** The receipt of a visitor's own decision, with its proof. The session's id is the key: without it, and for a record of
   * another session, the answer is 404. */
  getConsentReceipt: ['GET', '/api/consents/{token}/{consent_id}/receipt', ''],
  /** What the site stores in visitors' browsers, for its policy page: its vendors with their cookies,
   * and what its scans found besides. `/pages/{token}/cookies` shows the same as a page, and
   * `/pages/{token}/cookies/fragment` as HTML to put into one. Cacheable; `If-None-Match` gives 304. */
  getCookieDeclaration: ['GET', '/api/public/cookie-declaration/{token}', ''],
  /** One data-subject request with its history, and whether its steps are sealed. */
  getDsar: ['GET', '/api/cookies/{token}/dsar/{request_id}', 'b'],
  /** Everything of one request: the request with its history, the systems that were searched, comments, attachments, the
   * files of its answer, and the mails to the person. The oldest comments and entries of the history are left out where
   * they are longer than a page takes. Each reading is in the audit trail as an export (GDPR Art. 5(2)). */
  getDsarCase: ['GET', '/api/cookies/{token}/dsar/{request_id}/case', 'b'],
  /** One environment with its settings. */
  getEnvironment: ['GET', '/api/environments/{token}', 'b'],
  /** The state of a site's evidence log, and the keys that it is signed with. Anybody may ask; while the log is not
   * published (`publish_evidence_log`), its size and checkpoint are for members of the site alone, and for chosen parties
   * by an API key with `log:read`. */
  getEvidenceLog: ['GET', '/api/public/evidence-log/{token}', 'b'],
  /** One form consent, and where it is in the evidence log. */
  getFormConsent: ['GET', '/api/cookies/{token}/form-consents/{form_consent_id}', 'b'],
  /** How people log in to this server: by a password, and by which providers. */
  getLoginMethods: ['GET', '/api/auth/methods', ''],
  /** One mail with what it says. Links and codes that are for its receiver alone are left out. */
  getMail: ['GET', '/api/cookies/{token}/mails/{mail_id}', 'b'],
  /** Who the bearer token belongs to. */
  getMe: ['GET', '/api/me', 'b'],
  /** What the caller is told by mail, with the defaults of what was never chosen. */
  getNotificationSettings: ['GET', '/api/me/notifications', 'b'],
  /** The latest choice of a session, and whether it must be asked again. */
  getPreferences: ['GET', '/api/preferences/{token}', ''],
  /** One redelivery and its progress. */
  getRedelivery: ['GET', '/api/cookies/{token}/redeliveries/{redelivery_id}', 'b'],
  /** Where the visitor of this request is, and the rule for it: by a header of the server's proxy or CDN, else by its own
   * database of addresses, else by the time zone that the browser gives; no third party is asked, and nothing is
   * stored. Only the browser may keep the answer (`Cache-Control: private`), for 10 minutes. */
  getRegion: ['GET', '/api/v/{token}/region', ''],
  /** Which law asks what in which region, with its source: what `settings.regions` goes by. Cacheable. */
  getRegionLaws: ['GET', '/api/public/region-laws', ''],
  /** What the next run of retention would delete, and whether it is held. A run that would delete
   * more than a quarter of a site's records of one kind deletes nothing from the site until an
   * owner allows it, because a shortened retention, a long standstill and a wrong clock look the
   * same. */
  getRetentionPlan: ['GET', '/api/cookies/{token}/retention', 'b'],
  /** A scan and, once it is done, its result, of at most 256 KiB. 404 after 30 days; of a scan that was started
   * without a login, also when there have been 2,000 newer ones of that kind. Read without a login, each 4 KiB of
   * the answer count as one more request of your address. */
  getScan: ['GET', '/api/public/cookie-scan/{scan_id}', ''],
  /** What is new, gone and changed since the scan before it of the same page (host, path and query): cookies,
   * what else is stored, and hosts of third parties. Mails about new cookies say the same. */
  getScanChanges: ['GET', '/api/cookies/{token}/scans/{scan_id}/changes', 'b'],
  /** Which pages of the site are scanned again and again, when, and how the last turns ended. */
  getScanSchedule: ['GET', '/api/cookies/{token}/scan-schedule', 'b'],
  /** Which systems are to be searched for a request, which were, by whom, and what came of it. */
  getSearchList: ['GET', '/api/cookies/{token}/dsar/{request_id}/systems', 'b'],
  /** What the caller logs in with besides the password. */
  getSecondFactors: ['GET', '/api/me/second-factors', 'b'],
  /** The settings of one version, whole, for owners alone: earlier ones may name people whom the site has left out since,
   * such as a controller's representative. A consent record's proof (`getConsent`) has what its banner was made from, for
   * everybody who may read it; evidence packs hold the settings whole, because they prove them, and the audit trail
   * (`audit:read`) has what changed. To restore a part of it, such as `banner`, send that part to `updateEnvironment`: it
   * makes a new version, checked by the rules of today, and nothing that was recorded changes. */
  getSettingsVersion: ['GET', '/api/environments/{token}/settings-versions/{version}', 'b'],
  /** The configured providers, what to register there, and which groups have which role on the site. */
  getSignOn: ['GET', '/api/environments/{token}/sign-on', 'b'],
  /** The systems in which the site keeps data of people, beside what its records of processing name. */
  getSiteSystems: ['GET', '/api/cookies/{token}/systems', 'b'],
  /** Whether this server can ask by the IAB Europe Transparency & Consent Framework, and the vendors of its Global Vendor
   * List. A site takes part by `settings.tcf`. */
  getTcf: ['GET', '/api/cookies/{token}/tcf', 'b'],
  /** The site's vendors with their purposes, cookies and lifetimes, for banners. Cacheable;
   * `If-None-Match` gives 304. */
  getVendors: ['GET', '/api/public/vendors/{token}', ''],
  /** One webhook with its state. */
  getWebhook: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Accept an invitation to a site as the person who is logged in. The account must have the
   * invited address (otherwise 403), and, to become an owner where the server sends mail, it must be
   * verified (403). The link gives access to one site only. */
  joinEnvironment: ['POST', '/api/me/memberships', 'ib'],
  /** What happened to the caller's account, newest first: log-ins, refused ones, log-outs, revoked
   * tokens, changed passwords, keys for all of its sites, cookie scans that count for no site, deleted
   * sites, and the operator's commands. What it did on a site is in the trail of that site. */
  listAccountEvents: ['GET', '/api/me/audit', 'pb'],
  /** The files that go with the answer to a request. */
  listAnswerFiles: ['GET', '/api/cookies/{token}/dsar/{request_id}/files', 'b'],
  /** The site's templates of answers by type and name, at most 100, and then those that come with the product: one
   * in English for each type of request. */
  listAnswerTemplates: ['GET', '/api/cookies/{token}/dsar-templates', 'b'],
  /** The internal files of a request, in the order in which they were added. */
  listAttachments: ['GET', '/api/cookies/{token}/dsar/{request_id}/attachments', 'b'],
  /** Who changed or exported what on the site, newest first: every successful request of a member or an
   * API key that changes something, every export, and commands of whoever runs the server. Lists and
   * failed requests are not in it, nor is what visitors send. */
  listAuditEvents: ['GET', '/api/cookies/{token}/audit', 'pb'],
  /** The register of breaches, newest first. */
  listBreaches: ['GET', '/api/cookies/{token}/breaches', 'pb'],
  /** Every bundle of the site, newest first. */
  listBundles: ['GET', '/api/cookies/{token}/bundles', 'pb'],
  /** Consent records, newest first. */
  listConsents: ['GET', '/api/cookies/{token}/consents', 'pb'],
  /** The webhook's deliveries, newest first; kept for 30 days. What occurs while the webhook is
   * paused or disabled is not among them yet: `held` of the webhook counts it, and `listEvents`
   * shows it. */
  listDeliveries: ['GET', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries', 'pb'],
  /** The site's domains, which of them are proven to belong to it, and what to publish for those
   * that are not. Anybody can claim any domain, so `verifyDomain` does not confirm a site's domain
   * until it is proven. */
  listDomains: ['GET', '/api/cookies/{token}/domains', 'b'],
  /** Data-subject requests: newest first, or by deadline. `open` selects those still to be answered,
   * or only resolved ones. */
  listDsar: ['GET', '/api/cookies/{token}/dsar', 'pb'],
  /** What members wrote about a request, oldest first. The data subject and webhooks never get it. */
  listDsarComments: ['GET', '/api/cookies/{token}/dsar/{request_id}/comments', 'pb'],
  /** Saved filters of the desk: one's own, and those that an owner shared with all members. */
  listDsarViews: ['GET', '/api/cookies/{token}/dsar-views', 'b'],
  /** The environments that the caller is a member of. */
  listEnvironments: ['GET', '/api/environments', 'pb'],
  /** What was erased of the site so far, newest first: by whom, when, by what it was found, and how much;
   * never whose data it was. Kept for `retention_days.erasures`. */
  listErasures: ['GET', '/api/cookies/{token}/erasures', 'pb'],
  /** Events with their payloads, oldest first by default, so that a receiver can catch up on what it
   * missed. In this order an event is held back while an older one is still being stored, so that a
   * reader who pages on never skips it. All events of requests and breaches are kept. Events of
   * decisions are kept from the moment a webhook subscribes to them; the decisions themselves are
   * in listConsents. */
  listEvents: ['GET', '/api/cookies/{token}/events', 'pb'],
  /** Form consents, newest first. */
  listFormConsents: ['GET', '/api/cookies/{token}/form-consents', 'pb'],
  /** The provider accounts by which the caller can log in. */
  listIdentities: ['GET', '/api/me/identities', 'b'],
  /** The caller's own keys, newest first. */
  listKeys: ['GET', '/api/me/keys', 'pb'],
  /** The mails of a site, newest first: to whoever made requests, and to members about the site. What only owners are told is
   * shown to owners alone. */
  listMails: ['GET', '/api/cookies/{token}/mails', 'pb'],
  /** Who may see and manage the environment. */
  listMembers: ['GET', '/api/environments/{token}/members', 'pb'],
  /** The site's redeliveries, newest first; kept for 30 days. */
  listRedeliveries: ['GET', '/api/cookies/{token}/redeliveries', 'pb'],
  /** The scans that were started for this site, newest first; kept for 30 days. */
  listScans: ['GET', '/api/cookies/{token}/scans', 'pb'],
  /** The caller's sessions that go on, newest first. */
  listSessions: ['GET', '/api/me/sessions', 'pb'],
  /** Every version of a site's settings, newest first; `getSettingsVersion` has what is in it. */
  listSettingsVersions: ['GET', '/api/environments/{token}/settings-versions', 'pb'],
  /** Every key that reaches the site, whoever made it, newest first. */
  listSiteKeys: ['GET', '/api/environments/{token}/keys', 'pb'],
  /** What needs the owner's attention now, the most severe first; computed when it is read, the first 100. */
  listWarnings: ['GET', '/api/cookies/{token}/warnings', 'b'],
  /** The environment's webhooks. */
  listWebhooks: ['GET', '/api/cookies/{token}/webhooks', 'pb'],
  /** Record a visitor's decision. Answered only after the commit. */
  logConsent: ['POST', '/api/consents/{token}/log', 'i'],
  /** Record a decision that a visitor made in your own program: a native app, or a server that talks
   * to the visitor. Like `logConsent`, but with the visitor's address and user agent instead of
   * your server's; `method` defaults to `api`. Answered only after the commit. */
  logConsentForVisitor: ['POST', '/api/cookies/{token}/consents', 'ib'],
  /** Log in with e-mail and password. A wrong password, an unknown address and a disabled account
   * give the same answer in the same time. After 10 failures for one account from one network (for
   * IPv6, a /64) each further attempt must wait twice as long as the one before (429). The same
   * holds after 50 failures from one network or for one account, unless the account has logged in
   * from that network within the last 90 days. For an account with a second factor the right password
   * gives 403 with `second_factor_required` and a challenge for completeLogin. 403 with `forbidden` for
   * everybody when the operator refuses passwords (`PASSWORD_LOGIN=off`). */
  login: ['POST', '/api/auth/console', ''],
  /** Log in with a passkey alone: it needs no password, because its authenticator checks the person
   * by a PIN or biometrics. An unknown passkey and a disabled account give the same answer. 403 for
   * everybody when only providers let people in (`PASSWORD_LOGIN=off`). */
  loginWithPasskey: ['POST', '/api/auth/passkey', ''],
  /** Log out: end the bearer token of this request. The caller's other sessions remain valid. */
  logout: ['POST', '/api/auth/logout', 'b'],
  /** For providers: somebody has logged out there (OpenID Connect Back-Channel Logout 1.0). Ends the
   * sessions that the provider's session, or all of the person's, has begun here. 401 for a logout token
   * that is not one of the provider for this server. */
  logoutByProvider: ['POST', '/api/auth/sign-on/{provider}/logout', ''],
  /** What a one-time link is for, so that a page can ask for the right input. Does not use up the
   * link. */
  lookAtInvitation: ['POST', '/api/auth/invitation', ''],
  /** Record that a breach need not be reported, because a risk for the rights and freedoms of people
   * is unlikely (GDPR Art. 33(1)). Its clock stops, and the reason is kept in the register (Art.
   * 33(5)). 409 when it is already reported or judged so. Sends no event. */
  markBreachNotReportable: ['POST', '/api/cookies/{token}/breaches/{breach_id}/not-reportable', 'b'],
  /** Send nothing until it is resumed. What occurs meanwhile is held for 30 days: it is counted, and
   * becomes deliveries when the webhook is resumed. A delivery that is being sent is finished. 409
   * when it is disabled, because everything is already held, and when it was paused, or its events
   * were changed meanwhile, 50 times before what it had missed was sent. */
  pauseWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/pause', 'b'],
  /** Make a bundle from settings that need not be saved, without publishing or storing it. What `generateBundle` refuses
   * is refused here, too. Pages of any origin may call it with a bearer token. */
  previewBundle: ['POST', '/api/cookies/{token}/preview-bundle', 'b'],
  /** Ask the provider who has come back, and link nothing yet: the answer names both accounts, for the person to
   * agree to, and a text for finishLink. */
  proveLink: ['POST', '/api/me/identities/prove', 'b'],
  /** Store one part of a file, until the request is resolved. A part may be sent again; once the file is complete it stays
   * as it is: the same bytes are taken once more and change nothing, others are a 409. */
  putAnswerFilePart: ['PUT', '/api/cookies/{token}/dsar/{request_id}/files/{file_id}/parts/{part}', 'b'],
  /** Store one part of an attachment. The first part must begin as files of its type do. A part may be sent again; once
   * the file is complete it stays as it is: the same bytes are taken once more and change nothing, others are a 409. */
  putAttachmentPart: ['PUT', '/api/cookies/{token}/dsar/{request_id}/attachments/{attachment_id}/parts/{part}', 'b'],
  /** Reactivate a disabled or failing webhook: its counter is reset to 0 and what was held is sent,
   * oldest first, what had failed before behind what was never tried. 409 when it is active or
   * paused. */
  reactivateWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/reactivate', 'b'],
  /** Prove again who you are, as operations demand that answer 403 with
   * `reauthentication_required`: they need a log-in of the last 15 minutes. The answer holds a new
   * token, and the old one ends. A passkey alone must have checked the person where beginReauthentication
   * says `required`. A code alone is enough where it says, or would say, `preferred`: for an account
   * without a password, in a session that began at a provider account that is linked to it. After a code,
   * or a passkey that has not checked the person, without the password, the new token ends when the old one
   * would have. What is wrong is named in `errors` (400). Wrong codes must wait as in completeLogin (429). */
  reauthenticate: ['POST', '/api/auth/reauthenticate', 'b'],
  /** Record a request received by letter, telephone or otherwise; sends dsar.created. The deadline
   * runs from the day it was received. */
  recordDsar: ['POST', '/api/cookies/{token}/dsar', 'ib'],
  /** Record what a person agreed to in a form. */
  recordFormConsent: ['POST', '/api/form-consents/{token}', 'i'],
  /** Record what a person agreed to in a form that is submitted to your own server. Like
   * `recordFormConsent`, but with the person's address instead of your server's. */
  recordFormConsentForVisitor: ['POST', '/api/cookies/{token}/form-consents', 'ib'],
  /** Count that the banner was shown. Kept as counts, never as a row for each visitor. */
  recordImpression: ['POST', '/api/impressions/{token}', ''],
  /** Record a decision in compact form, safe on page unload: as durable as `logConsent`, and counted
   * once per `event_id`. A banner forgets what is refused for good, so a `banner_version` that does
   * not exist counts as not named, and a paused site answers 503 with `Retry-After`: send it again. */
  recordVisitorConsent: ['POST', '/api/v/{token}/ce', ''],
  /** Count up to 100 interactions with the banner. Each ten count as a request where requests are limited. */
  recordVisitorEvents: ['POST', '/api/v/{token}/e', ''],
  /** Send a delivery again now and return the result. Never counts towards the 5 failures. */
  redeliver: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', 'b'],
  /** Resend everything that failed since an instant. Each failed delivery is queued again with five
   * new attempts, which count like any others. The oldest are sent first, and those of a disabled
   * or paused webhook are held until it is active again. Events that have since reached the
   * receiver are left out. The work is done in the background in small parts; `getRedelivery`
   * reports the progress. Repeating a request while it runs returns the same redelivery. 409 while
   * ten others are running. */
  redeliverFailed: ['POST', '/api/cookies/{token}/redeliveries', 'ib'],
  /** Remove a person, or withdraw an invitation. The open invitations that they created end;
   * renewInvitation creates new ones. An invitation of that person to this site that nobody has used is withdrawn, too.
   * The last owner who can log in cannot be removed (409). Somebody whose role the groups of a provider give
   * (`given_by`) gets it back at the next log-in by that provider: take them out of the group there first, or have the
   * rule changed (`OIDC_<NAME>_ACCESS`). */
  removeMember: ['DELETE', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Remove a passkey, with the proof that beginPasskey needs; all other sessions end. Without another
   * second factor the recovery codes end, too. */
  removePasskey: ['DELETE', '/api/me/passkeys/{passkey_id}', 'b'],
  /** Remove the authenticator app, with the proof that beginTotp needs; all other sessions end. Without
   * another second factor the recovery codes end, too. */
  removeTotp: ['DELETE', '/api/me/totp', 'b'],
  /** Give a passkey another name. It lets in as before, and no session ends. */
  renamePasskey: ['PATCH', '/api/me/passkeys/{passkey_id}', 'b'],
  /** Create a new invitation link for somebody who has not used theirs; the old link ends. 409 for
   * somebody who is already a member. */
  renewInvitation: ['POST', '/api/environments/{token}/members/{user_id}/invitation', 'ib'],
  /** Make 10 new recovery codes, with the proof that beginTotp needs; the old ones end. 409 without a second
   * factor. */
  renewRecoveryCodes: ['POST', '/api/me/recovery-codes', 'b'],
  /** Reopen a breach that was judged to need no report, because the assessment has changed. The 72
   * hours still run from aware_at; once they have passed, the report must say why it is late. 409
   * unless the breach is judged to need no report, and when its history is full (see `updateBreach`). */
  reopenBreach: ['POST', '/api/cookies/{token}/breaches/{breach_id}/reopen', 'b'],
  /** Reopen a request that was resolved by mistake. It is in progress again under its deadline, which goes
   * on as if it had never been resolved; the history keeps that it was resolved, how, and whether an answer went by mail,
   * and `answer` of `getDsar` its words until another one is given. Resolving it again sends dsar.resolved again. 409 unless
   * the request is resolved, when it was reopened 20 times (15 by operators and API keys), and when its history is full: 256
   * KiB for owners who are logged in, 48 KiB for others. Sends no event. */
  reopenDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/reopen', 'b'],
  /** Replace the site's vendors; send `expected_version`, so that no change is lost. Unknown
   * categories and purposes, repeated ids, and a purpose with two legal bases are refused. At most
   * 200 times in 24 hours (429). */
  replaceVendors: ['PUT', '/api/cookies/{token}/vendors', 'b'],
  /** Mark a breach as reported to the supervisory authority; sends breach.reported; 409 when it is
   * already reported, or judged to need no report. After notify_by a reason is required. */
  reportBreach: ['POST', '/api/cookies/{token}/breaches/{breach_id}/report', 'b'],
  /** Send the caller a mail with a link that verifies the address of their account, at most three an
   * hour (429). Where the server sends mail, an account may make sites, and become the owner of one,
   * only then. 409 when the address is verified, and where the server sends no mail. */
  requestEmailVerification: ['POST', '/api/me/email-verification', 'b'],
  /** Send a one-time link to choose a new password to an address, if it has an account. The answer
   * is the same, after the same time, whether or not it has. One account gets at most three mails
   * an hour. 403 for everybody when the operator refuses passwords (`PASSWORD_LOGIN=off`). 409 where
   * the server sends no mail. */
  requestPasswordReset: ['POST', '/api/auth/forgotten-password', ''],
  /** Choose a new password by the link of a mail. All sessions of the account end. It does not log
   * in: a second factor, if the account has one, is still needed for that. Where the address was
   * never verified, the account's second factors, passkeys, API keys and linked provider accounts end
   * too, since somebody else may have made them. 403 for everybody when the
   * operator refuses passwords (`PASSWORD_LOGIN=off`). */
  resetPassword: ['POST', '/api/auth/reset-password', ''],
  /** Mark a request completed; sends dsar.resolved; 409 when already resolved. 400 at `body.answer` for a refusal, in whole
   * or in part, that is mailed without a reason (GDPR Art. 12(4)). */
  resolveDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/resolve', 'b'],
  /** Mark requests completed with the same outcome, as resolveDsar does: dsar.resolved is sent, and a mail with the
   * answer to each. 400 at `body.answer` as of resolveDsar when any of them would be mailed a refusal without a reason.
   * A request with files of an answer is refused: resolve it on its own. The answer says what became of each. */
  resolveDsars: ['POST', '/api/cookies/{token}/dsar-bulk/resolve', 'b'],
  /** Resume a paused webhook: what was held is sent, oldest first, what had failed before behind
   * what was never tried, and its failure counter is reset to 0. 409 when it is not paused. */
  resumeWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/resume', 'b'],
  /** End a key at once, on every process. To end one again changes nothing. */
  revokeKey: ['DELETE', '/api/me/keys/{key_id}', 'b'],
  /** End a key that is bound to this site, whoever made it. 409 for another owner's key for all of
   * their sites: they can revoke it themselves, and it stops working here when they are no longer an
   * owner. */
  revokeSiteKey: ['DELETE', '/api/environments/{token}/keys/{key_id}', 'b'],
  /** End every bearer token of the caller, this one included. */
  revokeTokens: ['POST', '/api/auth/revoke', 'b'],
  /** Replace a key by a new one with the same name, scopes, site and networks. The old one works for
   * `overlap_hours` more, so that programs can change over. 409 for a key that works no more, or
   * was replaced already. */
  rotateKey: ['POST', '/api/me/keys/{key_id}/rotate', 'ib'],
  /** Create a new secret, shown only this once. The old one keeps signing until the overlap ends.
   * 409 during an overlap, unless it is ended with overlap_hours 0. If the answer is lost, the same
   * request with the same `Idempotency-Key` returns it again within 24 hours. */
  rotateWebhookSecret: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/rotate-secret', 'ib'],
  /** Save one's own views of a site: the whole list, in which a view is added, renamed, replaced, moved or left out. They
   * end with the membership. */
  saveOwnDsarViews: ['PUT', '/api/cookies/{token}/dsar-views/own', 'b'],
  /** Record a choice by category: `logConsent` with the decision `save_preferences`. */
  savePreferences: ['POST', '/api/preferences/{token}', 'i'],
  /** The receipt of a session's latest decision as a file, the `ConsentReceipt` in JSON-LD: where the banner's settings
   * lead a visitor who wants to keep it. The session's id is the key: any page may link to it, and a session without a
   * decision gets 404. A decision that is not sealed yet has `pending: true` in its evidence: save it again in a minute. */
  saveReceipt: ['GET', '/api/receipts/{token}', 'd'],
  /** Save the views that every member of the site has, as saveOwnDsarViews does. */
  saveSharedDsarViews: ['PUT', '/api/cookies/{token}/dsar-views/shared', 'b'],
  /** Set which pages are scanned daily or weekly, or turn that off. Scans are started as yours, one of a site
   * after the other, at a time of the day that differs from page to page, and count like those that you start
   * by hand. Only pages on proven domains are visited. A turn that fails is shown, and the next one tries
   * again. No scan is started while you are no owner of the site or the site is archived. */
  setScanSchedule: ['PUT', '/api/cookies/{token}/scan-schedule', 'b'],
  /** Say whether members must log in with a second factor. Then somebody without one gets 403 with
   * `second_factor_required` from every operation of the site, and can add one; API keys work only
   * while their maker has one. 409 when the caller has none, to keep them from locking themselves
   * out. */
  setSecondFactorRule: ['PUT', '/api/environments/{token}/second-factor', 'b'],
  /** Replace the list of the site's systems. Lists of requests stay as they are. */
  setSiteSystems: ['PUT', '/api/cookies/{token}/systems', 'b'],
  /** Visit a page as a new visitor and list what it stores and which hosts it contacts before any
   * consent. The visit happens in the background: read the result with `getScan`. 409 while a scan
   * of the same domain waits or runs that the same site started (without a site: the same account,
   * or anybody without a login); its id is not disclosed, because it gives access to the result.
   * Scans of people with a login go first, and everybody takes turns. At most 5 per minute from one
   * address. Also 429 with `Retry-After` while 20 scans of the account wait, or 50 of it and of the accounts
   * that share its limits; without a login while 5 of the network wait or 3 of the same registrable
   * domain wait or run; 503 while the queue is full. The operator of the server decides with `SCANS` who
   * may start scans: anyone, anyone with a login (401 without a bearer token), or nobody (403). A page that is
   * being scanned starts none without a login (403). */
  startCookieScan: ['POST', '/api/public/cookie-scan', 'ib'],
  /** Begin to work on a request: created → in_progress; 409 from any other state. */
  startDsar: ['POST', '/api/cookies/{token}/dsar/{request_id}/start', 'b'],
  /** Begin to work on requests, as startDsar does; the answer says what became of each. */
  startDsars: ['POST', '/api/cookies/{token}/dsar-bulk/start', 'b'],
  /** Submit a data-subject request (GDPR Art. 15–22). The deadline is one month, at most 30 days. */
  submitDsar: ['POST', '/api/dsar/{token}', 'i'],
  /** Take a choice that a visitor brought along from another domain of the site: it is recorded anew, in the session that it
   * came from, with `method` `link` and the same `expires_at`. Where `own` is of that session, and one of its newest 20
   * records is of this choice and of a page of this origin, no other is made, and that one is answered. 403, and the token
   * stays good, unless the page's `Origin` is one of `settings.linked_domains`; otherwise it is used up, also when nothing is
   * taken. One 404 stands for every reason not to take it, so that nobody learns more: the token is unknown, used, too old,
   * or was given to another user agent, network or scheme; the choice was changed since, has expired, also by today's
   * `consent_lifetime_days`, or was made with another policy, other categories, vendors or rule; the browser sends
   * `Sec-GPC: 1`; or `own` stays. Then ask the visitor, or leave the choice of this domain in force. */
  takeConsentLink: ['POST', '/api/v/{token}/link/take', ''],
  /** Send an example event now and return the result. Only this request and its redelivery carry
   * `X-Service-Test: true`. Never counts towards the 5 failures. */
  testWebhook: ['POST', '/api/cookies/{token}/webhooks/{webhook_id}/test', 'b'],
  /** End a link, and the account's other sessions that began there. Roles that the provider's groups
   * gave end too. 403 without the proof that linking needs. 409 for the caller's only way to log
   * in, and when it would leave a site without an owner. */
  unlinkIdentity: ['DELETE', '/api/me/identities/{identity_id}', 'b'],
  /** Change a template of answers. Answers that began with it stay as they are. */
  updateAnswerTemplate: ['PATCH', '/api/cookies/{token}/dsar-templates/{template_id}', 'b'],
  /** Complete or correct a breach as facts become known (GDPR Art. 33(4)); what is left out stays. 409 when its history is
   * full: 256 KiB for owners who are logged in, 48 KiB for others. */
  updateBreach: ['PATCH', '/api/cookies/{token}/breaches/{breach_id}', 'b'],
  /** Change a site or its settings. A change of settings creates a new version; visitors get it
   * within 2 seconds; at most 200 new versions in 24 hours (429). Send `expected_settings_version`
   * and `expected_revision`, so that no change is lost when two people edit at once. An API key that
   * shortens `retention_days`, by which records are erased, needs the scope `erasures:write` too. */
  updateEnvironment: ['PATCH', '/api/environments/{token}', 'b'],
  /** Change a person's role. It takes effect with their next request, or when they accept their
   * invitation. When somebody stops being an owner, the open invitations that they created end;
   * renewInvitation creates new ones. The last owner who can log in cannot be given a lower role
   * (409). So does a role that the groups of a provider give (`given_by`): they would set it again at the next
   * log-in. It is changed there, by other groups or by the operator's rules; for a role that people give, take the
   * person out of the group there, and invite them after their next log-in, or once they are removed here. */
  updateMember: ['PATCH', '/api/environments/{token}/members/{user_id}', 'b'],
  /** Choose what is told by mail, and how. */
  updateNotificationSettings: ['PATCH', '/api/me/notifications', 'b'],
  /** Say what came of the search in one system. 409 when the request is resolved. */
  updateSearchLine: ['PATCH', '/api/cookies/{token}/dsar/{request_id}/systems/{line_id}', 'b'],
  /** Change a webhook; events that occurred before keep the subscription they had. 409 for more than
   * 49 changes of the events while it is paused or disabled, and when it would ask for an event that visitors cause
   * and did not before, while as many others ask for such events as `createWebhook` allows. */
  updateWebhook: ['PATCH', '/api/cookies/{token}/webhooks/{webhook_id}', 'b'],
  /** Whether a domain is registered here and its banner is in use. `www.` counts as its domain;
   * other subdomains do not. Only a domain that its site has proven (`listDomains`) is verified. An
   * unknown domain is answered as not verified, not as an error. */
  verifyDomain: ['GET', '/api/public/verify/{domain}', ''],
  /** Prove by the link of a mail that the address of the caller's account is theirs. It takes a login to
   * that account (404 with another): whoever has the mailbox alone must not vouch for an account that
   * somebody else has made with its address. */
  verifyEmail: ['POST', '/api/auth/verify-email', 'b'],
} as const;
