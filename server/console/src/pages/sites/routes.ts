import { page } from '../../app/page';

export const account = [
  page('', () => import('./sites')),
  page('sites', () => import('./sites')),
  page('sites/new', () => import('./new-site')),
];

export const site = [page('install', () => import('./install'))];
