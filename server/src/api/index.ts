import { getAnalytics } from './analytics';
import { acceptInvitation, changePassword, getMe, login, revokeTokens } from './auth';
import { createBreach, getBreach, listBreaches, reportBreach, updateBreach } from './breaches';
import {
  generateBundle,
  getBundle,
  getBundleRecord,
  getBundleTexts,
  getBundleVendors,
  getBundleVersion,
  listBundles,
  previewBundle,
} from './bundles';
import { getComplianceScore } from './compliance';
import { eraseSession, exportConsents, getConsent, listConsents, logConsent } from './consents';
import { listDeliveries, redeliver, testWebhook } from './deliveries';
import { extendDsar, getDsar, listDsar, resolveDsar, startDsar, submitDsar } from './dsar';
import { createEnvironment, getEnvironment, listEnvironments, updateEnvironment } from './environments';
import { listEvents } from './events';
import { listFormConsents, recordFormConsent } from './form-consents';
import type { Handlers } from './handler';
import { addMember, listMembers, removeMember, renewInvitation, updateMember } from './members';
import { getPreferences, savePreferences } from './preferences';
import { exportRopa } from './ropa';
import { getScan, listScans, startCookieScan } from './scans';
import { getVendors, replaceVendors } from './vendors';
import { verifyDomain } from './verify';
import { recordImpression, recordVisitorConsent, recordVisitorEvents } from './visitor';
import { listWarnings } from './warnings';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  reactivateWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks';

/** Every operation of the contract and the function that answers it. */
export const handlers: Handlers = {
  acceptInvitation,
  addMember,
  changePassword,
  createBreach,
  createEnvironment,
  createWebhook,
  deleteWebhook,
  eraseSession,
  exportConsents,
  exportRopa,
  extendDsar,
  generateBundle,
  getAnalytics,
  getBreach,
  getBundle,
  getBundleRecord,
  getBundleTexts,
  getBundleVendors,
  getBundleVersion,
  getComplianceScore,
  getConsent,
  getDsar,
  getEnvironment,
  getMe,
  getPreferences,
  getScan,
  getVendors,
  getWebhook,
  listBreaches,
  listBundles,
  listConsents,
  listDeliveries,
  listDsar,
  listEnvironments,
  listEvents,
  listFormConsents,
  listMembers,
  listScans,
  listWarnings,
  listWebhooks,
  logConsent,
  login,
  previewBundle,
  reactivateWebhook,
  recordFormConsent,
  recordImpression,
  recordVisitorConsent,
  recordVisitorEvents,
  redeliver,
  removeMember,
  renewInvitation,
  replaceVendors,
  reportBreach,
  resolveDsar,
  revokeTokens,
  rotateWebhookSecret,
  savePreferences,
  startCookieScan,
  startDsar,
  submitDsar,
  testWebhook,
  updateBreach,
  updateEnvironment,
  updateMember,
  updateWebhook,
  verifyDomain,
};
