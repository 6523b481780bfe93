import { page } from '../../app/page';

export const account = [page('account', () => import('./account'))];
