import { page } from '../../app/page';

export const account = [page('account/audit', () => import('./account-trail'))];
export const site = [page('audit', () => import('./site-trail'))];
