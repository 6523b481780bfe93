import { page } from '../../app/page';

export const site = [page('sign-on', () => import('./sign-on'))];
