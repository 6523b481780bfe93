import type { Item } from '@avow/sdk';

export type AuditEvent = Item<'listAuditEvents'>;

/** What can be in the trail of a site, in words: operations of the contract, and the operator's commands. */
export const OF_SITE: Readonly<Record<string, string>> = {
  createEnvironment: 'Site made',
  updateEnvironment: 'Site or settings changed',
  checkDomain: 'Domain checked',
  allowRetention: 'Retention allowed',
  addMember: 'Person invited',
  renewInvitation: 'Invitation renewed',
  acceptInvitation: 'Invitation accepted',
  joinEnvironment: 'Member joined',
  updateMember: 'Role changed',
  removeMember: 'Member removed',
  createKey: 'API key made',
  rotateKey: 'API key rotated',
  revokeKey: 'API key revoked',
  revokeSiteKey: 'API key revoked by an owner',
  generateBundle: 'Banner published',
  replaceVendors: 'Vendors replaced',
  startCookieScan: 'Cookie scan started',
  logConsentForVisitor: 'Decision recorded for a visitor',
  recordFormConsentForVisitor: 'Form consent recorded for a visitor',
  eraseSession: 'Visitor erased',
  eraseSubject: 'Person erased',
  recordDsar: 'Request recorded',
  startDsar: 'Request started',
  extendDsar: 'Request extended',
  resolveDsar: 'Request resolved',
  reopenDsar: 'Request opened again',
  createBreach: 'Breach recorded',
  updateBreach: 'Breach changed',
  reportBreach: 'Breach reported',
  markBreachNotReportable: 'Breach need not be reported',
  reopenBreach: 'Breach opened again',
  createWebhook: 'Webhook made',
  updateWebhook: 'Webhook changed',
  deleteWebhook: 'Webhook deleted',
  pauseWebhook: 'Webhook paused',
  resumeWebhook: 'Webhook resumed',
  reactivateWebhook: 'Webhook reactivated',
  rotateWebhookSecret: 'Webhook secret rotated',
  testWebhook: 'Webhook tested',
  redeliver: 'Delivery sent again',
  redeliverFailed: 'Failed deliveries sent again',
  exportConsents: 'Consents exported',
  exportEvidence: 'Evidence pack exported',
  exportFormConsents: 'Form consents exported',
  exportDsar: 'Requests exported',
  exportBreaches: 'Breaches exported',
  exportErasures: 'Records of erasures exported',
  exportEvents: 'Events exported',
  exportRopa: 'Processing records read or exported',
  exportAuditEvents: 'Audit trail exported',
  'import-gvl': 'Vendors imported by the operator',
  seed: 'Example history written by the operator',
  audit: 'Audit trail exported by the operator',
};

/** What can be in the trail of an account besides. */
const OF_ACCOUNT: Readonly<Record<string, string>> = {
  login: 'Logged in',
  logout: 'Logged out',
  revokeTokens: 'All sessions ended',
  changePassword: 'Password changed',
  acceptInvitation: 'Password chosen by a link',
  deleteEnvironment: 'Site deleted',
  'owner add': 'Account made by the operator',
  'owner reset': 'Link for a new password made by the operator',
  'owner disable': 'Account disabled by the operator',
  'owner enable': 'Account enabled by the operator',
  start: 'Account made at the first start',
};

export const RESOURCES: Readonly<Record<NonNullable<AuditEvent['resource']>, string>> = {
  site: 'Site',
  account: 'Account',
  member: 'Member',
  key: 'API key',
  webhook: 'Webhook',
  delivery: 'Delivery',
  redelivery: 'Redelivery',
  request: 'Request',
  breach: 'Breach',
  consent_record: 'Consent record',
  form_consent: 'Form consent',
  bundle: 'Bundle',
  domain: 'Domain',
  scan: 'Cookie scan',
};

/** What was done, in words; a newer server may know more. */
export function actionName({ operation, kind, resource }: AuditEvent): string {
  if (kind === 'refused') return 'Log-in refused: wrong password';
  const names = resource === 'account' ? { ...OF_SITE, ...OF_ACCOUNT } : { ...OF_ACCOUNT, ...OF_SITE };
  return names[operation] ?? operation;
}
