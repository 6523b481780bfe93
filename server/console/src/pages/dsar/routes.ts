import { page } from '../../app/page';

export const site = [
  page('dsar', () => import('./list')),
  page('dsar/new', () => import('./create')),
  page('dsar/systems', () => import('./systems')),
  page('dsar/templates', () => import('./templates')),
  page('dsar/templates/new', () => import('./new-template')),
  page('dsar/templates/new/:id', () => import('./new-template')),
  page('dsar/templates/:id', () => import('./template')),
  page('dsar/:id', () => import('./detail')),
  page('dsar/:id/case', () => import('./case')),
];
