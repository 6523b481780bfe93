import { page } from '../../app/page';

export const site = [
  page('vendors', () => import('./vendors')),
  page('vendors/new', () => import('./editor')),
  page('vendors/import', () => import('./import')),
  page('vendors/:id', () => import('./editor')),
];
