import { page } from '../../app/page';

export const account = [page('account/keys', () => import('./own-keys'))];
export const site = [page('keys', () => import('./site-keys'))];
