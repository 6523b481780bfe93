window.ran = [...(window.ran ?? []), 'counted'];
