// Generated from spec/*.tsp by `npm run generate`. Do not edit.
/**
 * Method, path and flags of every operation: i takes an idempotency key, p is paged, d answers a file, b needs the
 * bearer token.
 */
export const OPERATIONS = {
  /** Accept a one-time link and choose a password: creates the account and logs in. The first owner's set-up link is printed by the server. */
  acceptInvitation: ['POST', '/api/auth/accept-invitation', ''],
  /** Add a person. Somebody without an account gets a one-time invitation link, unless a password is given. */
  addMember: ['POST', '/api/environments/{token}/members', 'ib'],
  /** Change the caller's password. Every older bearer token ends; the answer holds a new one. */
  changePassword: ['POST', '/api/auth/password', 'b'],
  /** Register a site; the caller becomes its owner. */
  createEnvironment: ['POST', '/api/environments', 'ib'],
  /** Erase every record of one visitor's session (GDPR Art. 17). Counts in reports hold no personal data and stay. */
  eraseSession: ['DELETE', '/api/cookies/{token}/sessions/{session_id}', 'b'],
  /** Every consent record as a file, oldest first, streamed. CSV cells that a spreadsheet would take for a formula are quoted with `'`. */
  exportConsents: ['GET', '/api/cookies/{token}/consents/export', 'db'],
  /** One consent record with what proves it: what was shown, and whether it was withdrawn later. */
  getConsent: ['GET', '/api/cookies/{token}/consents/{consent_id}', 'b'],
  /** One environment with its settings. */
  getEnvironment: ['GET', '/api/environments/{token}', 'b'],
  /** Who the bearer token belongs to. */
  getMe: ['GET', '/api/me', 'b'],
  /** The latest choice of a session, and whether it must be asked again. */
  getPreferences: ['GET', '/api/preferences/{token}', ''],
  /** Consent records, newest first. */
  listConsents: ['GET', '/api/cookies/{token}/consents', 'pb'],
  /** The environments that the caller is a member of. */
  listEnvironments: ['GET', '/api/environments', 'pb'],
  /** Form consents, newest first. */
  listFormConsents: ['GET', '/api/cookies/{token}/form-consents', 'pb'],
  /** Who may see and manage the environment. */
  listMembers: ['GET', '/api/environments/{token}/members', 'pb'],
  /** Record a visitor's decision. Answered only after it is committed. */
  logConsent: ['POST', '/api/consents/{token}/log', 'i'],
  /** Log in with e-mail and password. A wrong password and an unknown address give the same answer in the same time; after 10
   * failures within 15 minutes for one address of person and network, 429. */
  login: ['POST', '/api/auth/console', ''],
  /** Record what a person agreed to in a form. */
  recordFormConsent: ['POST', '/api/form-consents/{token}', 'i'],
  /** Count that the banner was shown. Kept as counts, never as a row for each visitor. */
  recordImpression: ['POST', '/api/impressions/{token}', ''],
  /** Record a decision in compact form, safe on page unload: as durable as `logConsent`, and counted once for each `event_id`. */
  recordVisitorConsent: ['POST', '/api/v/{token}/ce', ''],
  /** Count up to 100 interactions with the banner. */
  recordVisitorEvents: ['POST', '/api/v/{token}/e', ''],
  /** Remove a person; the last owner cannot be removed (409). */
  removeMember: ['DELETE', '/api/environments/{token}/members/{user_id}', 'b'],
  /** End every bearer token of the caller, this one included. */
  revokeTokens: ['POST', '/api/auth/revoke', 'b'],
  /** Record a choice by category: `logConsent` with the decision `save_preferences`. */
  savePreferences: ['POST', '/api/preferences/{token}', 'i'],
  /** Change a site or its settings. A change of settings makes a new version; visitors get it within 2 seconds. */
  updateEnvironment: ['PATCH', '/api/environments/{token}', 'b'],
} as const;
