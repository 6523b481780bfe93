import { page } from '../../app/page';

export const open = [
  page('login', () => import('./login')),
  page('setup', () => import('./setup')),
  page('forgotten-password', () => import('./forgotten-password')),
  page('reset-password', () => import('./reset-password')),
  page('verify-email', () => import('./verify-email')),
  page('sign-on/:provider', () => import('./sign-on')),
];
