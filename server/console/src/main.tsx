import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queries } from './app/queries';
import { router } from './app/routes';
import { session } from './app/session';
import { applyTheme } from './app/theme';
import { ToastRegion } from './ui/toast';

applyTheme();
await session.start();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);
